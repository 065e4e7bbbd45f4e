#===- AddRuntime.cmake -----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# atsan_add_runtime(SOURCES <file>... SYMS_EXTRA <file> IDLE_FUNCTIONS <file>)
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
# The functions of IDLE_FUNCTIONS (one per line; bench/idle-functions makes it)
# stand together, so that a program in which no region is active touches few pages
# of the runtime. A name that is there no longer does no harm, one that is missing
# costs a page or some.
#
#===------------------------------------------------------------------------===#

find_program(ATSAN_GNU_LD NAMES ld.bfd DOC
  "GNU ld, which puts functions of the runtime together (without: they stay apart)")
mark_as_advanced(ATSAN_GNU_LD)

# Sets `objects` to one object with the objects of the targets in it, or to all of
# them.
function(_atsan_join_objects objects idle_functions name)
  list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE all)
  if(NOT ATSAN_GNU_LD)
    set(${objects} ${all} PARENT_SCOPE)
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${idle_functions}")
  file(STRINGS "${idle_functions}" functions REGEX "^[^#]")
  list(TRANSFORM functions REPLACE "(.+)" "    *(.text.\\1)")
  list(JOIN functions "\n" functions)
  set(script "${CMAKE_CURRENT_BINARY_DIR}/idle.ld")
  configure_file("${CMAKE_CURRENT_SOURCE_DIR}/idle.ld.in" "${script}" @ONLY)
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.o")
  # The option: inline functions of headers are in groups, which would not be
  # moved; there is one of each in the result.
  add_custom_command(OUTPUT "${object}"
    COMMAND "${ATSAN_GNU_LD}" -r --force-group-allocation -T "${script}"
            -o "${object}" "${all}"
    COMMAND_EXPAND_LISTS
    DEPENDS "${script}" "${all}"
    COMMENT "Joining the objects of ${name}"
    VERBATIM)
  set_source_files_properties("${object}" PROPERTIES
    EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set(${objects} "${object}" PARENT_SCOPE)
endfunction()

function(_atsan_add_runtime_objects target common pic_flag)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEFINES" ${ARGN})
  # In addition to what ATSAN_RUNTIME_CFLAGS maps.
  atsan_map_sources(map_lib
    "${PROJECT_SOURCE_DIR}/lib" /compiler-rt/lib/atomicity/lib)
  atsan_map_sources(map_include
    "${PROJECT_SOURCE_DIR}/include" /compiler-rt/lib/atomicity/include)
  add_library(${target} OBJECT ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE RTSanitizerInterface)
  target_compile_definitions(${target} PRIVATE ${ARG_DEFINES})
  target_compile_options(${target} PRIVATE
    ${ATSAN_RUNTIME_CFLAGS} ${pic_flag}
    -Wall -Wextra -Wno-unused-parameter
    # Constructors of globals run after the first intercepted calls.
    -Werror=global-constructors
    # Hooks and interceptors run on stacks of the user's making.
    -Wframe-larger-than=1024
    ${map_lib} ${map_include})
endfunction()

function(atsan_add_runtime)
  cmake_parse_arguments(ARG "" "SYMS_EXTRA;IDLE_FUNCTIONS" "SOURCES" ${ARGN})
  if(NOT ARG_SOURCES OR NOT ARG_SYMS_EXTRA OR NOT ARG_IDLE_FUNCTIONS OR
     ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "atsan_add_runtime needs SOURCES, SYMS_EXTRA and "
                        "IDLE_FUNCTIONS, and knows no \"${ARG_UNPARSED_ARGUMENTS}\"")
  endif()
  set(name clang_rt.atomicity-x86_64)
  set(archive "${ATSAN_LIB_DIR}/lib${name}.a")
  set(export_list "${archive}.syms")
  set(version_script "${CMAKE_CURRENT_BINARY_DIR}/lib${name}.so.vers")
  set(generator "${COMPILER_RT_DIR}/lib/sanitizer_common/scripts/gen_dynamic_list.py")
  get_filename_component(extra "${ARG_SYMS_EXTRA}" ABSOLUTE)
  get_filename_component(idle_functions "${ARG_IDLE_FUNCTIONS}" ABSOLUTE)

  _atsan_add_runtime_objects(atsan_rt_objects RTSanitizerCommon -fPIE
    SOURCES ${ARG_SOURCES})
  _atsan_join_objects(static_objects "${idle_functions}" atsan_rt
    atsan_rt_objects RTSanitizerCommon)
  add_library(atsan_rt_archive STATIC ${static_objects})
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
    # In an executable, they are two thirds of the symbol table.
    COMMAND sed -i "/__interceptor_/d" "${export_list}" "${version_script}"
    DEPENDS atsan_rt_archive "${extra}" "${generator}"
    COMMENT "Listing the symbols that the runtime exports"
    VERBATIM)
  add_custom_target(atsan_rt_static ALL DEPENDS "${export_list}" "${version_script}")

  _atsan_add_runtime_objects(atsan_rt_shared_objects RTSanitizerCommon.shared -fPIC
    SOURCES ${ARG_SOURCES} DEFINES SANITIZER_SHARED)
  _atsan_join_objects(shared_objects "${idle_functions}" atsan_rt_shared
    atsan_rt_shared_objects RTSanitizerCommon.shared)
  add_library(atsan_rt_shared SHARED ${shared_objects})
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
    # A library that is closed takes the runtime with it otherwise, while threads
    # and what runs at exit go on.
    "LINKER:-z,nodelete"
    # LINKER: would divide the path at a comma.
    "SHELL:-Xlinker --version-script -Xlinker \"${version_script}\"")

  install(TARGETS atsan_rt_archive atsan_rt_shared
    ARCHIVE DESTINATION lib/atsan LIBRARY DESTINATION lib/atsan)
  install(FILES "${export_list}" DESTINATION lib/atsan)
endfunction()
