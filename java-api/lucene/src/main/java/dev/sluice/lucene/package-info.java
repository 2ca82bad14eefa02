/**
 * A directory of Lucene on the files of this library: {@link dev.sluice.lucene.SluiceDirectory}, and its locks,
 * {@link dev.sluice.lucene.SluiceLockFactory}. Indexes are those of Lucene's own directories, which can read and write
 * them as well.
 *
 * <p><b>Interrupts close nothing.</b> The files of a {@code NIOFSDirectory} are closed for all threads when one of them
 * is interrupted while it reads, and the lock of Lucene's {@code NativeFSLockFactory} is lost when the thread that
 * writes is interrupted. Here a thread that is interrupted continues, and its interrupt status stays set.
 *
 * <p><b>A sync that has failed is not repeated.</b> The system may drop what it could not write; then a second sync
 * would succeed although these bytes are lost. After the first failure a directory refuses to sync.
 *
 * <p>Java 21 is sufficient. The native calls need JNA there; from 22 on, they can use the Foreign Function &amp; Memory
 * API.
 */
@NullMarked
package dev.sluice.lucene;

import org.jspecify.annotations.NullMarked;
