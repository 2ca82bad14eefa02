/**
 * Handles, and the wrapper facades that hide the operating system's socket, pipe and file calls behind them.
 *
 * <p>A {@link dev.sluice.handle.Handle} owns one descriptor; a facade ({@link dev.sluice.handle.SocketStream},
 * {@link dev.sluice.handle.SocketAcceptor}, {@link dev.sluice.handle.SocketConnector},
 * {@link dev.sluice.handle.SocketDatagram}, {@link dev.sluice.handle.Pipe},
 * {@link dev.sluice.handle.FileHandle}, {@link dev.sluice.handle.DirectoryHandle},
 * {@link dev.sluice.handle.MappedFile}, {@link dev.sluice.handle.Inotify}) holds a handle and uses {@code java.net}
 * addresses and {@code java.nio} buffers.
 *
 * <p><b>Every socket and pipe here is non-blocking.</b> There is no mode to get wrong: an operation that cannot
 * proceed says so at once, by its return value and not by an exception. To wait without a reactor, use the forms that
 * take a {@link java.time.Duration}; they wait in {@code poll}, and closing the handle ends the wait, on Windows within
 * 20 ms.
 *
 * <p><b>A virtual thread that waits so holds its carrier</b>, the platform thread below it, since it waits in native
 * code. There are as many carriers as processors, unless {@code -Djdk.virtualThreadScheduler.parallelism} says
 * otherwise. While as many virtual threads wait, no other virtual thread of the program runs. So let platform threads
 * wait in these forms, or let a virtual thread wait for a Java object that an event loop completes, such as the
 * future of an operation. Calls that do not wait hold the carrier only for the call; those on files hold it while the
 * system reads or writes.
 *
 * <p>A system call that no facade makes is made in {@link dev.sluice.handle.Handle#withDescriptor}, which keeps the
 * descriptor open for as long as it lasts.
 *
 * <p>Differences between systems are behind one port, {@link dev.sluice.system.OperatingSystem}: the facades never ask
 * which system it is. It is the binding that says which one it is, not the virtual machine.
 *
 * <p>Facades are as thread-safe as the system calls below them: any method may be called from any thread, and a close
 * during a call is safe, but two threads that read one stream at once each get some of the bytes. A buffer belongs to
 * the callee during the call and to the caller again afterwards. Direct buffers go to the system as they are. Heap
 * buffers, and those of a shared {@code Arena}, which another thread could close during the call, are copied through
 * native memory that is borrowed for the call: at most 64 KiB of a stream or a file in one call, and a datagram as a
 * whole, however long it is. A program with many datagrams can move several per call: {@link
 * dev.sluice.handle.DatagramBatch} receives them, {@link dev.sluice.handle.DatagramSendBatch} sends them. On Linux the
 * way through the kernel costs more than the call, and datagrams of one length to one peer can take it together. When
 * sending, that has no effect that a program or the peer could see, so it is done wherever possible. When receiving,
 * the program has to ask for it, with a buffer of 64 KiB for each message: a {@linkplain
 * dev.sluice.handle.DatagramBatch#joined joined} batch.
 *
 * <p>Besides the system call, a call on a handle costs two atomic operations, one to become a user of the handle and
 * one to leave it, of about five nanoseconds each while no other thread uses the handle. They keep the descriptor open
 * when another thread closes the handle during the call. A call by the loop thread makes them, too: any other thread
 * may close the handle meanwhile. So a message that is echoed costs four.
 *
 * <p>Failures are {@link dev.sluice.handle.SystemCallException}s that name the call, the subject and the error. Using a
 * closed handle is a {@link dev.sluice.handle.HandleClosedException}. What serves many peers by one socket asks {@link
 * dev.sluice.handle.ErrorScope} whether an error concerns one of them or ends the service. Wrong arguments are the
 * usual unchecked exceptions, thrown before anything is done.
 */
@NullMarked
package dev.sluice.handle;

import org.jspecify.annotations.NullMarked;
