#===- AddRuntime.cmake -----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# atsan_add_runtime(SOURCES <file>... SYMS_EXTRA <file> [INCLUDES <dir>...])
#
# Makes the run-time libraries, under the names and in the place where the driver
# looks for them, from SOURCES and sanitizer_common. Targets:
#
#   atsan_rt_static  libclang_rt.atomicity-x86_64.a, with sanitizer_common inside,
#                    and beside it .a.syms: the symbols that an executable exports
#                    for instrumented shared objects (linker: --dynamic-list)
#   atsan_rt_shared  libclang_rt.atomicity-x86_64.so (compiled with
#                    SANITIZER_SHARED: .preinit_array is forbidden there)
#
# Exported are interceptors, __sanitizer_*, and what SYMS_EXTRA lists (one symbol
# or * pattern per line).
#
#===------------------------------------------------------------------------===#

function(_atsan_add_runtime_objects target common pic_flag)
  cmake_parse_arguments(ARG "" "" "SOURCES;INCLUDES;DEFINES" ${ARGN})
  # In addition to what ATSAN_RUNTIME_CFLAGS maps.
  atsan_map_sources(map_runtime
    "${PROJECT_SOURCE_DIR}/runtime" /compiler-rt/lib/atomicity)
  atsan_map_sources(map_lib
    "${PROJECT_SOURCE_DIR}/lib" /compiler-rt/lib/atomicity/lib)
  add_library(${target} OBJECT ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE RTSanitizerInterface)
  target_include_directories(${target} PRIVATE ${ARG_INCLUDES})
  target_compile_definitions(${target} PRIVATE ${ARG_DEFINES})
  target_compile_options(${target} PRIVATE
    ${ATSAN_RUNTIME_CFLAGS} ${pic_flag}
    -Wall -Wextra -Wno-unused-parameter
    # Constructors of globals run after the first intercepted calls.
    -Werror=global-constructors
    # Hooks and interceptors run on stacks of the user's making.
    -Wframe-larger-than=1024
    ${map_runtime} ${map_lib})
endfunction()

function(atsan_add_runtime)
  cmake_parse_arguments(ARG "" "SYMS_EXTRA" "SOURCES;INCLUDES" ${ARGN})
  if(NOT ARG_SOURCES OR NOT ARG_SYMS_EXTRA OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "atsan_add_runtime needs SOURCES and SYMS_EXTRA, and "
                        "knows no \"${ARG_UNPARSED_ARGUMENTS}\"")
  endif()
  set(name clang_rt.atomicity-x86_64)
  set(archive "${ATSAN_LIB_DIR}/lib${name}.a")
  set(export_list "${archive}.syms")
  set(version_script "${CMAKE_CURRENT_BINARY_DIR}/lib${name}.so.vers")
  set(generator "${COMPILER_RT_DIR}/lib/sanitizer_common/scripts/gen_dynamic_list.py")
  get_filename_component(extra "${ARG_SYMS_EXTRA}" ABSOLUTE)

  _atsan_add_runtime_objects(atsan_rt_objects RTSanitizerCommon -fPIE
    SOURCES ${ARG_SOURCES} INCLUDES ${ARG_INCLUDES})
  add_library(atsan_rt_archive STATIC
    $<TARGET_OBJECTS:atsan_rt_objects> $<TARGET_OBJECTS:RTSanitizerCommon>)
  set_target_properties(atsan_rt_archive PROPERTIES
    OUTPUT_NAME ${name}
    ARCHIVE_OUTPUT_DIRECTORY "${ATSAN_LIB_DIR}"
    LINKER_LANGUAGE CXX)
  add_custom_command(OUTPUT "${export_list}" "${version_script}"
    COMMAND "${ATSAN_PYTHON}" "${generator}" --nm-executable "${ATSAN_LLVM_NM}"
            --extra "${extra}" -o "${export_list}" "${archive}"
    COMMAND "${ATSAN_PYTHON}" "${generator}" --nm-executable "${ATSAN_LLVM_NM}"
            --version-list --extra "${extra}" -o "${version_script}" "${archive}"
    # Interceptors by their plain names only: with the long ones, another shared
    # sanitizer's functions would be bound to ours and ours to them, in a circle.
    COMMAND sed -i "/__interceptor_/d" "${version_script}"
    DEPENDS atsan_rt_archive "${extra}" "${generator}"
    COMMENT "Listing the symbols that the runtime exports"
    VERBATIM)
  add_custom_target(atsan_rt_static ALL DEPENDS "${export_list}" "${version_script}")

  _atsan_add_runtime_objects(atsan_rt_shared_objects RTSanitizerCommon.shared -fPIC
    SOURCES ${ARG_SOURCES} INCLUDES ${ARG_INCLUDES} DEFINES SANITIZER_SHARED)
  add_library(atsan_rt_shared SHARED
    $<TARGET_OBJECTS:atsan_rt_shared_objects>
    $<TARGET_OBJECTS:RTSanitizerCommon.shared>)
  add_dependencies(atsan_rt_shared atsan_rt_static)
  set_target_properties(atsan_rt_shared PROPERTIES
    OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY "${ATSAN_LIB_DIR}"
    LINK_DEPENDS "${version_script}"
    LINKER_LANGUAGE CXX)
  # No C++ library, and nothing undefined: the same holds for the archive, where
  # no link step would notice.
  target_link_options(atsan_rt_shared PRIVATE
    -nostdlib++ "LINKER:-z,defs"
    "LINKER:--version-script,${version_script}")

  install(TARGETS atsan_rt_archive atsan_rt_shared
    ARCHIVE DESTINATION lib/atsan LIBRARY DESTINATION lib/atsan)
  install(FILES "${export_list}" DESTINATION lib/atsan)
endfunction()
