# Debian packages by CPack: hotkeyd, hotkeyctl and libhotkey-dev, one for each component. `tools/package` makes them.
# What is derived from the built programs lies in package_files; it is not there, and not installed, in other builds.
set(package_files ${PROJECT_BINARY_DIR}/package_files)
set(man_dir ${CMAKE_INSTALL_DATAROOTDIR}/man)
set(completion_dir ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions)
install(FILES ${package_files}/hotkeyd.8.gz DESTINATION ${man_dir}/man8 COMPONENT daemon OPTIONAL)
install(FILES ${package_files}/hotkeyd.yaml.5.gz DESTINATION ${man_dir}/man5 COMPONENT daemon OPTIONAL)
install(FILES ${package_files}/hotkeyctl.1.gz DESTINATION ${man_dir}/man1 COMPONENT cli OPTIONAL)
install(FILES ${package_files}/hotkeyd.bash DESTINATION ${completion_dir} RENAME hotkeyd COMPONENT daemon OPTIONAL)
install(FILES ${package_files}/hotkeyctl.bash DESTINATION ${completion_dir} RENAME hotkeyctl COMPONENT cli OPTIONAL)
foreach(pair daemon:hotkeyd cli:hotkeyctl sdk:libhotkey-dev)
  string(REGEX MATCH "^(.*):(.*)$" matched ${pair})
  set(component ${CMAKE_MATCH_1})
  set(package ${CMAKE_MATCH_2})
  string(TOUPPER ${component} upper)
  install(FILES ${package_files}/${package}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package}
    COMPONENT ${component} OPTIONAL)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/copyright DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package}
    COMPONENT ${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_FILE_NAME DEB-DEFAULT)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/packaging/libhotkey-dev.overrides
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides RENAME libhotkey-dev COMPONENT sdk)

set(CPACK_GENERATOR DEB)
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# As it is by default, so that the first line of each description below is its summary.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CMAKE_PROJECT_NAME} built using CMake")
set(CPACK_PACKAGE_CONTACT "hotkeyd maintainers <hotkeyd@example.org>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_COMPONENTS_ALL daemon cli sdk)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/tidy_stage.cmake)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_DAEMON_PACKAGE_SECTION net)
set(CPACK_DEBIAN_DAEMON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DAEMON_PACKAGE_DEPENDS "systemd | systemd-standalone-sysusers, init-system-helpers (>= 1.54~)")
set(CPACK_DEBIAN_DAEMON_PACKAGE_RECOMMENDS hotkeyctl)
set(CPACK_DEBIAN_DAEMON_PACKAGE_SUGGESTS bash-completion)
set(packaging ${PROJECT_SOURCE_DIR}/packaging/daemon)
set(CPACK_DEBIAN_DAEMON_PACKAGE_CONTROL_EXTRA
  "${packaging}/conffiles;${packaging}/postinst;${packaging}/prerm;${packaging}/postrm")
set(CPACK_COMPONENT_DAEMON_DESCRIPTION "hot cache key detection for one host
Applications report which cache keys they use; hotkeyd finds those that are
hot within a second and tells applications, Redis and Kafka, so that they
are served from local copies until they have cooled down.")
set(CPACK_DEBIAN_CLI_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_CLI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CLI_PACKAGE_SUGGESTS bash-completion)
set(CPACK_COMPONENT_CLI_DESCRIPTION "command line for the hot key daemon hotkeyd
Shows which cache keys are hot and why, pins and denies keys, invalidates
local copies, and analyses recorded traffic (MONITOR dumps, CSV traces).")
set(CPACK_DEBIAN_SDK_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_SDK_PACKAGE_DEPENDS "libstdc++-12-dev | libstdc++-dev")
set(CPACK_COMPONENT_SDK_DESCRIPTION "C++ library for the hot key daemon hotkeyd
Records the use of cache keys, hears which are hot, and keeps local copies
of their values. Header files and the static library, with files for CMake
and pkg-config.")
include(CPack)
