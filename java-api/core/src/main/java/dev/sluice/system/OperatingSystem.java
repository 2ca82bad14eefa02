package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.deadline.Deadline;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongToIntFunction;

/**
 * Operations of the system below the wrapper facades and some demultiplexers, as far as Unix and Windows have different
 * calls, or calls with different semantics.
 *
 * <p>Descriptors are {@code long}, because the sockets and handles of Windows are. Results are counts or descriptors,
 * or the negated number of an {@link dev.sluice.calls.Errno}. Stateless; all methods may be called from any thread.
 */
public abstract class OperatingSystem extends SystemFiles {

    private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static volatile OperatingSystem latest;

    OperatingSystem(Binding binding) {
        super(binding);
    }

    /** {@return the system that a binding makes calls to} */
    public static OperatingSystem of(Binding binding) {
        OperatingSystem system = latest;
        if (system == null || system.binding != binding) {
            system = switch (binding.os()) {
                case WINDOWS -> new WindowsSystem(binding);
                case MACOS -> new MacosSystem(binding);
                case FREEBSD -> new FreeBsdSystem(binding);
                case OPENBSD -> new BsdSystem(binding);
                case LINUX, OTHER -> new LinuxSystem(binding);
            };
            latest = system;
        }
        return system;
    }

    /** {@return the system of the binding in use} */
    public static OperatingSystem current() {
        return of(Bindings.current());
    }

    // Sockets

    /** {@return the number of the address family of IPv6} */
    public abstract int inet6();

    /**
     * Opens a socket that does not block and that child processes do not inherit.
     *
     * @param family an address family of the system
     * @param type   {@code SOCK_STREAM} or {@code SOCK_DGRAM}
     * @return the socket
     */
    public abstract long openSocket(int family, int type);

    /**
     * Accepts a connection into a socket that does not block and that child processes do not inherit.
     *
     * @param listener      the listening socket
     * @param address       the address of memory for the peer's {@code sockaddr}, or 0
     * @param addressLength the address of the length of that memory, or 0
     * @return the socket
     */
    public abstract long accept(long listener, long address, long addressLength);

    /**
     * Opens another descriptor of a socket, which child processes do not inherit.
     *
     * @return the descriptor, or a negated error number
     * @throws UnsupportedOperationException on Windows
     */
    public long duplicate(long socket) {
        throw new UnsupportedOperationException(binding.os().title() + " has no second descriptor of a socket here");
    }

    public abstract int bind(long socket, long address, int addressLength);

    public abstract int listen(long socket, int backlog);

    /** Starts an attempt to connect. The result {@code EINPROGRESS} means that it is in progress. */
    public abstract int connect(long socket, long address, int addressLength);

    public int connectDatagram(long socket, long address, int addressLength) {
        return connect(socket, address, addressLength);
    }

    /** {@return the negated error that is pending on the socket, 0 if there is none} */
    public abstract int takeError(long socket, Scratch scratch);

    /** {@return the number of bytes that the peer's system has acknowledged; -1 if this system does not report it} */
    public long acknowledged(long socket) {
        return -1;
    }

    /** Stores the socket's address at {@link Scratch#ADDRESS}, and its length at {@link Scratch#LENGTH}. */
    public abstract int getsockname(long socket, int family, Scratch scratch);

    public abstract int getpeername(long socket, Scratch scratch);

    /**
     * {@return the option that allows binding a listening socket while earlier connections linger, but not while
     * another socket listens}
     */
    public abstract SocketOption<Boolean> acceptorOption();

    public abstract int getsockopt(long socket, SystemSocketOption<?> option, long value, long valueLength);

    public abstract int setsockopt(long socket, SystemSocketOption<?> option, long value, int valueLength);

    /** Writes the value of {@code SO_LINGER}. Returns its size in bytes. */
    public abstract int writeLinger(ByteBuffer at, int offset, int seconds);

    public abstract int readLinger(ByteBuffer at, int offset);

    /**
     * Shuts down one or both directions: {@code SHUT_RD}, {@code SHUT_WR} or {@code SHUT_RDWR}, whose numbers are the
     * same on all systems.
     */
    public abstract int shutdown(long socket, int how);

    public abstract long receive(long socket, long address, long length);

    public abstract long send(long socket, long address, long length);

    /** As {@link #send(long, long, long)}, but the system may delay a partial segment, because more bytes follow. */
    public long sendBeforeMore(long socket, long address, long length) {
        return send(socket, address, length);
    }

    /** Writes an element of the vector in the scratch memory. */
    public abstract void element(Scratch scratch, int index, long address, int length);

    public abstract long receive(long socket, Scratch scratch, int elements);

    public abstract long send(long socket, Scratch scratch, int elements);

    /**
     * Receives a datagram; the sender's address goes to {@link Scratch#ADDRESS}, its length to {@link Scratch#LENGTH}.
     */
    public abstract long receiveFrom(long socket, long address, long length, Scratch scratch);

    /**
     * Receives the waiting datagrams, up to the capacity, and stores them from index 0 on.
     *
     * @return the number of datagrams, or a negated error number if none was received
     */
    public int receiveFrom(long socket, DatagramArray datagrams) {
        try (Scratch scratch = Scratch.borrow(binding)) {
            for (int i = 0; i < datagrams.capacity(); i++) {
                int result = receiveAt(socket, datagrams, i, scratch);
                if (result < 0) {
                    if (i > 0 && !Errno.EAGAIN.is(result) && !Errno.EINTR.is(result)) {
                        datagrams.deferError(result);
                    }
                    return i > 0 ? i : result;
                }
            }
            return datagrams.capacity();
        }
    }

    /** Receives a datagram and stores it at an index. Returns its length, or a negated error number. */
    int receiveAt(long socket, DatagramArray datagrams, int index, Scratch scratch) {
        int result = (int) receiveFrom(socket, datagrams.dataAddress(index), datagrams.maxDatagramSize(), scratch);
        if (result >= 0) {
            datagrams.take(index, result, scratch);
        }
        return result;
    }

    /**
     * Makes the system coalesce datagrams of one peer, which it reports in the control data of a message.
     *
     * @return true if it does so from now on; false if it does not support that
     */
    public boolean enableReceiveOffload(long socket) {
        return false;
    }

    /** {@return whether the system can split a message for a socket into datagrams} */
    public boolean supportsSegmentation(long socket) {
        return false;
    }

    /**
     * Returns the number of datagrams that a socket has dropped.
     *
     * @return an unsigned counter of 32 bits, 0 if the system does not count them; {@code ENOPROTOOPT} if no call
     *         returns it, but the system may {@linkplain #reportDrops report} it with each datagram
     */
    public long dropped(long socket) {
        return 0;
    }

    /**
     * Makes the system report with each datagram how many it has dropped; does nothing if the system does not support
     * that.
     */
    public int reportDrops(long socket) {
        return 0;
    }

    /**
     * Sends a datagram to the address at {@link Scratch#ADDRESS}, or to the connected peer if the length of the address
     * is 0.
     */
    public abstract long sendTo(long socket, long address, long length, Scratch scratch, int addressLength);

    /**
     * Sends datagrams in order, as many as one call takes. An error of a later one is returned by the next call.
     *
     * @param first the index of the first datagram
     * @param count the number of datagrams, at least 1
     * @return the number of datagrams sent, at least 1, or a negated error number if the first was not sent
     */
    public int sendTo(long socket, DatagramArray datagrams, int first, int count) {
        try (Scratch scratch = Scratch.borrow(binding)) {
            long result = sendTo(socket, datagrams.dataAddress(first), datagrams.sendLength(first), scratch,
                    datagrams.copyAddress(first, scratch));
            return result < 0 ? (int) result : 1;
        }
    }

    /**
     * Sends a part of a file to a socket without its bytes passing through this process.
     *
     * @param socket    the socket to send to
     * @param file      the file to send from
     * @param position  the position of the first byte in the file
     * @param count     the number of bytes
     * @param arguments memory with 8 bytes for the arguments of the call
     * @param at        the offset of these bytes
     * @param address   the address of these bytes
     * @return the number of bytes sent, 0 at the end of the file, or {@code ENOSYS} if the system does not support
     *         that, for this file or for any: then the caller must read and send the bytes
     */
    public abstract long sendFile(long socket, long file, long position, long count, ByteBuffer arguments, int at,
            long address);

    /** {@return whether {@link #sendHeadAndFile} is supported} */
    public boolean canSendHeadAndFile() {
        return false;
    }

    /**
     * Sends a header and a part of a file by one call, otherwise as {@link #sendFile}.
     *
     * @param head       the address of the header
     * @param headLength the length of the header in bytes, at least 1
     * @param count      the number of bytes of the file, at least 1
     * @param arguments  memory with 64 bytes for the arguments of the call
     * @return the number of bytes sent of the header and the file; 0 at the end of the file, where the header is not
     *         sent either
     * @throws UnsupportedOperationException unless {@link #canSendHeadAndFile()}
     */
    public long sendHeadAndFile(long socket, long head, int headLength, long file, long position, long count,
            ByteBuffer arguments, int at,
            long address) {
        throw new UnsupportedOperationException(binding.os().title() + " cannot send a header and a file by one call");
    }

    /**
     * Receives a datagram by {@code recvmsg}.
     *
     * @param message the address of a {@code msghdr}
     * @param memory  the memory that contains it
     * @param at      its offset
     * @return the datagram's length, at least one more than the length of the buffer if it was truncated
     * @throws UnsupportedOperationException if the system has no such call
     */
    public long receiveMessage(long socket, long message, ByteBuffer memory, int at) {
        throw new UnsupportedOperationException(binding.os().title() + " has no recvmsg");
    }

    /**
     * Waits until a socket is ready or closed.
     *
     * @param reading  true to wait until it can receive or accept, false until it can send
     * @param deadline the deadline of the wait
     * @param isOpen   returns false if the wait must end because the handle has been closed
     * @return a positive number if it is ready, 0 if it is not, or a negated error number
     */
    public abstract int await(long socket, boolean reading, Deadline deadline, BooleanSupplier isOpen);

    // Threads

    /** {@return whether the scheduler honors the priorities of Java threads} */
    public boolean followsJavaPriorities() {
        return false;
    }

    /**
     * Sets the nice value of the calling thread.
     *
     * @param value the nice value, from -20 (the highest priority) to 19
     * @return 0 or a negated error number
     * @throws UnsupportedOperationException if the nice value of a single thread cannot be set
     */
    public int setNiceValue(int value) {
        throw new UnsupportedOperationException(binding.os().title() + " has no nice value for a single thread");
    }

    // Calls of some systems only

    /**
     * Returns the calls of Linux, for a facade that exists on Linux only.
     *
     * @param subject the facade that needs them
     * @param instead the alternative on other systems
     * @return the calls
     * @throws UnsupportedOperationException on other systems
     */
    public Linux linux(String subject, String instead) {
        throw new UnsupportedOperationException(subject + " needs Linux, and this is " + binding.os().title()
                + "; use " + instead);
    }

    /**
     * {@return this system, for operations on names in an open directory}
     *
     * @throws UnsupportedOperationException on Windows
     */
    public UnixSystem unix() {
        throw new UnsupportedOperationException(binding.os().title() + " cannot look up names in an open directory");
    }

    // Any descriptor

    /**
     * Closes a descriptor. A binding needs a little heap for a call. If there is none, this method retries for up to a
     * second or until an interrupt, because no other thread would close the descriptor later.
     *
     * @param descriptor the descriptor; must not be used afterwards, whatever the result
     * @param isSocket   whether it is a socket
     * @return 0, or the error
     * @throws OutOfMemoryError if there is still no memory; the descriptor is still open then
     */
    public final int close(long descriptor, boolean isSocket) {
        long begin = System.nanoTime();
        while (true) {
            try {
                return closeOnce(descriptor, isSocket);
            } catch (OutOfMemoryError e) {
                // Bounded by time and not by attempts, since each may cause a garbage collection that takes longer than
                // the pause.
                if (System.nanoTime() - begin > CLOSE_TIMEOUT_NANOS || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LockSupport.parkNanos(CLOSE_PAUSE_NANOS);
            }
        }
    }

    abstract int closeOnce(long descriptor, boolean isSocket);

    /**
     * Prepares a new socket, or on Unix any new descriptor, and closes it if that fails or throws.
     *
     * @param descriptor  the descriptor
     * @param preparation the calls that prepare it; returns a negated error number if one fails
     * @return the descriptor, or a negated error number
     */
    final long prepared(long descriptor, LongToIntFunction preparation) {
        return prepared(descriptor, true, preparation);
    }

    /** As {@link #prepared(long, LongToIntFunction)}, for any descriptor. */
    final long prepared(long descriptor, boolean isSocket, LongToIntFunction preparation) {
        int result = -1;
        try {
            result = preparation.applyAsInt(descriptor);
        } finally {
            if (result < 0) {
                close(descriptor, isSocket);
            }
        }
        return result < 0 ? result : descriptor;
    }

    // Pipes

    /**
     * Opens a pipe whose ends do not block. Stores the descriptor of the source, followed by that of the sink, at
     * {@link Scratch#VALUE}.
     */
    public abstract int openPipe(Scratch scratch);

    /** {@return whether the ends of pipes are sockets} */
    public boolean pipesAreSockets() {
        return false;
    }

    public abstract long read(long descriptor, long address, long length);

    public abstract long write(long descriptor, long address, long length);
}
