# Every third-party package enters here, once, under one name each.
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(prometheus-cpp REQUIRED COMPONENTS core)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(hiredis REQUIRED IMPORTED_TARGET hiredis)
pkg_check_modules(rdkafka REQUIRED IMPORTED_TARGET rdkafka)  # Debian has no CMake package of it.
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(systemd REQUIRED IMPORTED_TARGET libsystemd)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)

# Asio is compiled once, in io/asio.cc; every other file sees declarations only.
add_library(dep_asio INTERFACE)
target_link_libraries(dep_asio INTERFACE Boost::headers Threads::Threads)
# Boost detects coroutines on GCC only; say it aloud so that clang's tools agree.
target_compile_definitions(dep_asio INTERFACE
  BOOST_ASIO_HAS_CO_AWAIT BOOST_ASIO_HAS_STD_COROUTINE
  BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION)
if(HOTKEYD_SANITIZE STREQUAL "thread")  # TSan cannot see fences.
  target_compile_definitions(dep_asio INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
