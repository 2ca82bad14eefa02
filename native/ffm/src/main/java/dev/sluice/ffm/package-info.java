/**
 * The binding over the Foreign Function and Memory API (Java 22 and later).
 *
 * <p>Pointers are passed as {@code long}, not as {@code MemorySegment}: a segment would be created, checked and kept
 * alive for each call, although the callers own their memory. Functions are called without
 * {@code Linker.Option.critical}, because nearly all of them can block, and a critical call that blocks stops the
 * garbage collector.
 *
 * <p>The prototype of a function is declared only in the interface of its family, and linked from there when the
 * function is called for the first time: linking generates classes that no class archive can contain, and linking all
 * functions would take most of the time until the first message of a program.
 *
 * <p>{@code FfmBindingProvider} and the module descriptor are compiled for Java 17, everything else for Java 22, so
 * that the same jar can be on the path of an older Java, where the provider reports what is missing.
 */
@NullMarked
package dev.sluice.ffm;

import org.jspecify.annotations.NullMarked;
