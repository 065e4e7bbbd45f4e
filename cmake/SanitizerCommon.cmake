#===- SanitizerCommon.cmake ------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Builds compiler-rt's sanitizer_common and interception, unchanged but for the
# size of one table (runtime/location/atsan_stack_depot.cpp), in three flavours, and states
# once how code of a sanitizer runtime is compiled.
#
#   RTSanitizerCommon         OBJECT, -fPIE: for the static archive
#   RTSanitizerCommon.shared  OBJECT, -fPIC: for the shared runtime
#   RTSanitizerCommon.test    STATIC: for hosted programs: unit tests, and `atsan`
#   RTSanitizerInterface      INTERFACE: its headers
#   ATSAN_RUNTIME_CFLAGS      flags of every object inside the runtime
#
# Only the sources that matter on Linux x86-64 are taken; those of other systems
# compile to nothing.
#
#===------------------------------------------------------------------------===#

# The options by which code of \p folder is of \p name in debug information: by
# either path, since ccache may give the compiler relative ones.
function(atsan_map_sources result folder name)
  file(RELATIVE_PATH relative "${CMAKE_BINARY_DIR}" "${folder}")
  set(${result} "-ffile-prefix-map=${folder}=${name}"
                "-ffile-prefix-map=${relative}=${name}" PARENT_SCOPE)
endfunction()

# sanitizer_common tells a runtime's own frames by this path, wherever the
# sources are; reports then name the user's code.
atsan_map_sources(_map_compiler_rt "${COMPILER_RT_DIR}" /compiler-rt)
atsan_map_sources(_map_runtime
  "${PROJECT_SOURCE_DIR}/runtime" /compiler-rt/lib/atomicity)

# A runtime is linked into programs of any language and built any way: it may
# need no C++ library, throw nothing, and expect nothing of the user's flags.
# Hidden by default: what users may call is marked as interface. Sections of their
# own: AddRuntime.cmake puts functions together, for which tables of symbol numbers
# (addrsig) would be wrong.
set(ATSAN_RUNTIME_CFLAGS
  # Without it, tables of abstract classes want a function of the C++ library.
  $<$<CONFIG:Debug>:-O2>
  -fno-builtin -fno-exceptions -fno-rtti -fno-stack-protector -funwind-tables
  -fvisibility=hidden -fno-lto -nostdinc++ -U_FORTIFY_SOURCE
  -ffunction-sections -fdata-sections -fno-addrsig
  ${_map_compiler_rt} ${_map_runtime}
  $<$<CONFIG:Debug>:-DSANITIZER_DEBUG=1>)

add_library(RTSanitizerInterface INTERFACE)
target_include_directories(RTSanitizerInterface SYSTEM INTERFACE
  "${COMPILER_RT_DIR}/lib" "${COMPILER_RT_DIR}/include")

atsan_glob(_sources
  "${COMPILER_RT_DIR}/lib/sanitizer_common" "sanitizer_*.cpp")
list(APPEND _sources
  "${COMPILER_RT_DIR}/lib/sanitizer_common/sancov_flags.cpp"
  "${COMPILER_RT_DIR}/lib/interception/interception_linux.cpp")
# _nolibc replaces the parts that use libc, for freestanding tools.
list(FILTER _sources EXCLUDE REGEX
  "_(nolibc|mac|mac_libcdep|win|win_.*|fuchsia|netbsd|netbsd_libcdep|freebsd|bsd|solaris|s390|sparc|stackdepot)\\.cpp$")
list(APPEND _sources "${PROJECT_SOURCE_DIR}/runtime/location/atsan_stack_depot.cpp")

function(_atsan_add_sanitizer_common target pic_flag)
  add_library(${target} OBJECT ${_sources})
  target_link_libraries(${target} PUBLIC RTSanitizerInterface)
  # -w: warnings of code that is not ours help nobody.
  target_compile_options(${target} PRIVATE
    ${ATSAN_RUNTIME_CFLAGS} ${pic_flag} -w)
  target_compile_definitions(${target} PRIVATE HAVE_RPC_XDR_H=0 ${ARGN})
endfunction()

_atsan_add_sanitizer_common(RTSanitizerCommon -fPIE)
_atsan_add_sanitizer_common(RTSanitizerCommon.shared -fPIC SANITIZER_SHARED)

# The same objects; a test links what it uses. Test code uses the standard
# library, which sanitizer_redefine_builtins.h would otherwise poison.
add_library(RTSanitizerCommon.test STATIC EXCLUDE_FROM_ALL
  $<TARGET_OBJECTS:RTSanitizerCommon>)
set_target_properties(RTSanitizerCommon.test PROPERTIES
  ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/test/unit")
target_link_libraries(RTSanitizerCommon.test PUBLIC RTSanitizerInterface)
target_compile_definitions(RTSanitizerCommon.test INTERFACE
  SANITIZER_COMMON_NO_REDEFINE_BUILTINS)
