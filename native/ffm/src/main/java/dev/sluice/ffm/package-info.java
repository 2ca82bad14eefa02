/**
 * The binding over the Foreign Function and Memory API (Java 22 and later).
 *
 * <p>Pointers cross as {@code long}, not as {@code MemorySegment}: a segment argument would be created, checked and
 * kept alive for every call, while the callers here own their memory anyway. All functions are called without {@code
 * Linker.Option.critical}, since nearly all of them can block, and a critical call that blocks stops the garbage
 * collector.
 *
 * <p>The prototype of a function is declared only in the interface of its family, and linked from there when the
 * function is called for the first time: linking generates classes that no class archive can hold, and linking all
 * functions would take longer than anything else that most programs do until the first message.
 *
 * <p>{@code FfmBindingProvider} and the module descriptor are compiled for Java 17, everything else for Java 22, so
 * that the same jar can be on the path of an older Java, where the provider reports what is missing.
 */
package dev.sluice.ffm;
