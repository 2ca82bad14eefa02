/**
 * A file system for H2: {@link dev.sluice.h2.FilePathSluice}, with the prefix {@code sluice:}. H2's MVStore and its SQL
 * databases run on it, and their files are those of H2's default file system.
 *
 * <p><b>Interrupts close nothing.</b> A {@code FileChannel} is closed when a thread that uses it is interrupted, and
 * with it the database, for all clients. Here a thread that is interrupted gets its bytes, its interrupt status stays
 * set, and the file stays open.
 *
 * <p><b>A failed force is final.</b> If the system reports that it could not make writes durable, they may be lost even
 * if it succeeds the next time, because it may have dropped what it could not write. So the open file refuses all later
 * writes and forces, with that first error as their cause, and H2 closes the database when it writes next. What was
 * durable before is there when the database is opened again.
 *
 * <p><b>Order.</b> Reads and writes at a position run concurrently, in no particular order. A force covers the writes
 * that completed before it started; forces of an open file run one at a time.
 */
@NullMarked
package dev.sluice.h2;

import org.jspecify.annotations.NullMarked;
