/**
 * Handles, and the wrapper facades around the operating system's calls for sockets, pipes and files.
 *
 * <p>A {@link dev.sluice.handle.Handle} owns one descriptor; a facade ({@link dev.sluice.handle.SocketStream},
 * {@link dev.sluice.handle.SocketAcceptor}, {@link dev.sluice.handle.SocketConnector},
 * {@link dev.sluice.handle.SocketDatagram}, {@link dev.sluice.handle.Pipe}, {@link dev.sluice.handle.FileHandle},
 * {@link dev.sluice.handle.DirectoryHandle}, {@link dev.sluice.handle.MappedFile}, {@link dev.sluice.handle.Inotify})
 * holds a handle and uses {@code java.net} addresses and {@code java.nio} buffers.
 *
 * <p><b>Every socket and pipe here is non-blocking.</b> There is no blocking mode: a call that cannot proceed returns
 * immediately, and reports that by its return value and not by an exception. To wait without a reactor, use the forms
 * that take a {@link java.time.Duration}; they wait in {@code poll}, and closing the handle ends the wait, on Windows
 * within 20 ms.
 *
 * <p><b>A virtual thread that waits in this way pins its carrier</b>, the platform thread that runs it, because it
 * waits in native code. By default there are as many carriers as processors
 * ({@code -Djdk.virtualThreadScheduler.parallelism}). While that many virtual threads wait, no other virtual thread of
 * the program runs. So call these methods on platform threads, or let a virtual thread wait for a Java object that an
 * event loop completes, such as the future of an operation. Calls that do not wait pin the carrier only for the
 * duration of the call; calls on files pin it while the system reads or writes.
 *
 * <p>For a system call that no facade has, use {@link dev.sluice.handle.Handle#withDescriptor}, which keeps the
 * descriptor open during the call.
 *
 * <p>Differences between systems are hidden behind {@link dev.sluice.system.OperatingSystem}: no facade contains code
 * for a particular system. The binding determines which system it is, not the virtual machine.
 *
 * <p>Facades are as thread-safe as the system calls below them: any method may be called from any thread, and a close
 * during a call is safe, but if two threads read one stream concurrently, each gets some of the bytes. A buffer belongs
 * to the callee during the call and to the caller again afterwards. Direct buffers are passed to the system without
 * copying. Heap buffers, and those of a shared {@code Arena}, which another thread could close during the call, are
 * copied through native memory that is borrowed for the call: at most 64 KiB of a stream or a file in one call, and a
 * datagram as a whole, however long it is. A program with many datagrams can transfer several per call:
 * {@link dev.sluice.handle.DatagramBatch} receives them, {@link dev.sluice.handle.DatagramSendBatch} sends them. On
 * Linux the kernel's network stack costs more than the call, and datagrams of the same length to the same peer can pass
 * it together. When sending, this has no visible effect on the program or the peer, so it is done wherever possible.
 * When receiving, it takes a buffer of 64 KiB for each message, so it is done only by a
 * {@linkplain dev.sluice.handle.DatagramBatch#coalesced coalesced} batch.
 *
 * <p>In addition to the system call, a call on a handle costs two atomic operations, one to acquire the descriptor and
 * one to release it, of about five nanoseconds each while no other thread uses the handle. They keep the descriptor
 * open when another thread closes the handle during the call. The loop thread executes them as well, because any other
 * thread may close the handle. So an echoed message costs four of them.
 *
 * <p>Failures are {@link dev.sluice.handle.SystemCallException}s that name the call, the subject and the error. Using a
 * closed handle is a {@link dev.sluice.handle.HandleClosedException}. {@link dev.sluice.handle.ErrorScope} determines
 * whether an error of a socket that serves many peers concerns one of them or ends the service. Illegal arguments cause
 * the usual unchecked exceptions, before anything else is done.
 */
@NullMarked
package dev.sluice.handle;

import org.jspecify.annotations.NullMarked;
