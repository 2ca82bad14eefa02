/**
 * The binding over the Foreign Function and Memory API (Java 22 and later).
 *
 * <p>Pointers cross as {@code long}, not as {@code MemorySegment}: a segment argument would be created, checked and
 * kept alive for every call, while the callers here own their memory anyway. All functions are called without {@code
 * Linker.Option.critical}, since nearly each of them can block, and a critical call that blocks stops the garbage
 * collector for everyone.
 *
 * <p>What a function takes and returns is declared only in the interface of its family, and linked from there, when it
 * is called for the first time: linking makes classes that no archive of classes can hold, and all functions together
 * would take longer to link than most programs take for anything else on their way to the first message.
 *
 * <p>{@code FfmBindingProvider} and the module descriptor are compiled for Java 17, everything else for Java 22, so
 * that the same jar can be on the path of an older Java, where the provider reports what is missing.
 */
package dev.sluice.ffm;
