/**
 * Batches of file operations that a thread submits and waits for, without an event loop of its own and without a
 * handler: {@link dev.sluice.files.FileBatch}. A {@link dev.sluice.files.FileLoop} has the event loop, which one
 * platform thread runs, and executes the batches of all threads; a virtual thread that waits for its batch parks, so
 * that its carrier is free during the wait.
 *
 * <p><b>Interrupts close nothing.</b> A thread that is interrupted while it waits for a batch continues to wait, its
 * files stay open, and its interrupt status is set when the wait is over. A {@code FileChannel} is closed by an
 * interrupt, for all threads that use it.
 *
 * <p><b>Order.</b> The operations of a batch, and of several batches, are executed in no particular order, unless the
 * file {@linkplain dev.sluice.files.FileLoop#add(dev.sluice.handle.FileHandle, int) has been added} with a limit of one
 * operation in flight: then they are executed one at a time, in the order in which they were submitted. A {@code force}
 * covers the writes that completed before it was started, and a {@code writeAndForceData} also the bytes that it
 * writes.
 */
@NullMarked
package dev.sluice.files;

import org.jspecify.annotations.NullMarked;
