# One folder, one static library hotkeyd_<name> of every *.cc in it:
#   hotkeyd_component(detector DEPENDS hotkeyd_base PRIVATE_DEPENDS PkgConfig::re2)
# Headers are compiled alone by the target all_verify_interface_header_sets.
add_library(hotkeyd_flags INTERFACE)
target_compile_options(hotkeyd_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual
  -Wformat=2 -Wimplicit-fallthrough -Wextra-semi -Wsuggest-override
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wuseless-cast
    $<$<BOOL:${CMAKE_UNITY_BUILD}>:-Wno-subobject-linkage>  # It takes the sources of a unity build for headers.
    -Wno-restrict>  # g++ 12 sees overlaps in string concatenation that are none (GCC bug 105651).
  $<$<BOOL:${HOTKEYD_WERROR}>:-Werror>)
if(HOTKEYD_SANITIZE)
  # Without vptr: that check opens a pipe, and so fails in the tests that use up every descriptor.
  add_compile_options(-fsanitize=${HOTKEYD_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HOTKEYD_SANITIZE})
endif()
if(HOTKEYD_FUZZ)  # libFuzzer steers by the edges of what a target calls: of all libraries, not of its own file alone.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

function(hotkeyd_component name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  file(GLOB headers CONFIGURE_DEPENDS *.h)
  if(NOT sources)  # A folder of headers only still is one target with one name.
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/empty.cc "")
    set(sources ${CMAKE_CURRENT_BINARY_DIR}/empty.cc)
  endif()
  add_library(hotkeyd_${name} STATIC ${sources})
  target_sources(hotkeyd_${name} PUBLIC
    FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  set_target_properties(hotkeyd_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  target_link_libraries(hotkeyd_${name} PUBLIC ${ARG_DEPENDS} PRIVATE hotkeyd_flags ${ARG_PRIVATE_DEPENDS})
endfunction()

add_custom_target(unit_tests)     # Every test that starts no server: what ASan's build runs.
add_custom_target(threads_tests)  # Those among them that run threads of ours: what TSan's build runs.

# hotkeyd_test(detector DEPENDS hotkeyd_detector LABELS unit): every *_test.cc of the folder as <name>_test. Where
# sanitizers or lint join sources, the files of a folder may not use one name for two things; with APART they may.
function(hotkeyd_test name)
  cmake_parse_arguments(ARG "APART" "TIMEOUT" "DEPENDS;LABELS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *_test.cc)
  if(NOT sources)
    return()
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  add_executable(${name}_test ${sources})
  target_link_libraries(${name}_test PRIVATE ${ARG_DEPENDS} hotkeyd_flags GTest::gmock_main)
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR})
  if(ARG_APART)
    set_target_properties(${name}_test PROPERTIES UNITY_BUILD OFF)
  endif()
  # Half the time of a sanitizer's build went into optimizing the tests themselves.
  if(HOTKEYD_SANITIZE)
    target_compile_options(${name}_test PRIVATE -O0)
  else()
    target_compile_options(${name}_test PRIVATE -O1)
  endif()
  add_dependencies(unit_tests ${name}_test)
  if("threads" IN_LIST ARG_LABELS)
    add_dependencies(threads_tests ${name}_test)
  endif()
  # A list would be taken apart on its way into the properties; `ctest -L` matches a part of a label as well.
  string(REPLACE ";" "-" label "${ARG_LABELS}")
  gtest_discover_tests(${name}_test PROPERTIES LABELS "${label}" TIMEOUT ${ARG_TIMEOUT} DISCOVERY_TIMEOUT 60)
endfunction()

# "base/version.h" is the project's version, told once.
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.h.in ${PROJECT_BINARY_DIR}/generated/base/version.h)
target_include_directories(hotkeyd_flags INTERFACE ${PROJECT_BINARY_DIR}/generated)

configure_file(${PROJECT_SOURCE_DIR}/cmake/source_dir.h.in ${PROJECT_BINARY_DIR}/generated/tests/support/source_dir.h)
