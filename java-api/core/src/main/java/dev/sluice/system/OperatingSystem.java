package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.Memory;
import dev.sluice.deadline.Deadline;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongToIntFunction;

/**
 * What the wrapper facades, and some demultiplexers, ask of a system where Unix and Windows have different calls, or
 * give the same calls different meanings.
 *
 * <p>Descriptors are {@code long}, because the sockets and handles of Windows are. Results are counts or descriptors,
 * or the negated number of an {@link dev.sluice.calls.Errno}. Stateless; any thread may use it.
 */
public abstract class OperatingSystem {

    private static final long CLOSE_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static volatile OperatingSystem latest;

    final Binding binding;
    final Memory memory;

    OperatingSystem(Binding binding) {
        this.binding = binding;
        this.memory = binding.memory();
    }

    /** {@return the system that a binding makes calls to} */
    public static OperatingSystem of(Binding binding) {
        OperatingSystem system = latest;
        if (system == null || system.binding != binding) {
            system = switch (binding.os()) {
                case WINDOWS -> new WindowsSystem(binding);
                case MACOS -> new MacosSystem(binding);
                case FREEBSD, OPENBSD -> new BsdSystem(binding);
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
     * @param address       where to write the peer's {@code sockaddr}, or 0
     * @param addressLength the address of the length of that room, or 0
     * @return the socket
     */
    public abstract long accept(long listener, long address, long addressLength);

    public abstract int bind(long socket, long address, int addressLength);

    public abstract int listen(long socket, int backlog);

    /** Begins to connect; {@code EINPROGRESS} says that it goes on. */
    public abstract int connect(long socket, long address, int addressLength);

    public int connectDatagram(long socket, long address, int addressLength) {
        return connect(socket, address, addressLength);
    }

    /** {@return the negated error that is pending on the socket, 0 if there is none} */
    public abstract int takeError(long socket, Scratch scratch);

    /** {@return the number of bytes that the peer's system has acknowledged; -1 where this system does not tell} */
    public long acknowledged(long socket) {
        return -1;
    }

    /** The socket's address, at {@link Scratch#ADDRESS} and its length at {@link Scratch#LENGTH}. */
    public abstract int getsockname(long socket, int family, Scratch scratch);

    public abstract int getpeername(long socket, Scratch scratch);

    /** {@return the option with which a listening socket can be bound safely even if earlier connections linger} */
    public abstract SocketOption<Boolean> acceptorOption();

    public abstract int getsockopt(long socket, SystemSocketOption<?> option, long value, long valueLength);

    public abstract int setsockopt(long socket, SystemSocketOption<?> option, long value, int valueLength);

    /** {@return the size of what was written: the value of {@code SO_LINGER}} */
    public abstract int writeLinger(ByteBuffer at, int offset, int seconds);

    public abstract int readLinger(ByteBuffer at, int offset);

    /** Closes a direction: {@code SHUT_RD}, {@code SHUT_WR} or {@code SHUT_RDWR}, numbered the same everywhere. */
    public abstract int shutdown(long socket, int how);

    public abstract long receive(long socket, long address, long length);

    public abstract long send(long socket, long address, long length);

    /** As {@link #send(long, long, long)}, but the system may hold back what does not fill a segment: more comes. */
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
     * Receives the datagrams that are waiting, as many as there is room for, from the first place on.
     *
     * @return how many, or a negated error number if there is none
     */
    public int receiveFrom(long socket, DatagramArray datagrams) {
        try (Scratch scratch = Scratch.borrow(binding)) {
            for (int i = 0; i < datagrams.capacity(); i++) {
                int result = receiveAt(socket, datagrams, i, scratch);
                if (result < 0) {
                    if (i > 0 && !Errno.EAGAIN.is(result) && !Errno.EINTR.is(result)) {
                        datagrams.postpone(result);
                    }
                    return i > 0 ? i : result;
                }
            }
            return datagrams.capacity();
        }
    }

    /** {@return the length of a datagram that has been received to its place, or a negated error number} */
    int receiveAt(long socket, DatagramArray datagrams, int index, Scratch scratch) {
        int result = (int) receiveFrom(socket, datagrams.dataAddress(index), datagrams.room(), scratch);
        if (result >= 0) {
            datagrams.take(index, result, scratch);
        }
        return result;
    }

    /**
     * Makes the system hand out datagrams of one peer joined, which only the control data of a message tells.
     *
     * @return whether it does so now; false where it cannot
     */
    public boolean joinArrivals(long socket) {
        return false;
    }

    /** {@return whether the system cuts a message for a socket into datagrams} */
    public boolean segments(long socket) {
        return false;
    }

    /**
     * Asks how many datagrams a socket has dropped.
     *
     * @return the counter, 32 bits without a sign, 0 where the system does not count; {@code ENOPROTOOPT} if it cannot
     *         be asked and perhaps {@linkplain #reportDrops reports} by itself
     */
    public long dropped(long socket) {
        return 0;
    }

    /** Makes the system report with each datagram how many it has dropped; does nothing where it cannot. */
    public int reportDrops(long socket) {
        return 0;
    }

    /** Sends a datagram to the address at {@link Scratch#ADDRESS}, or if its length is 0 to the connected peer. */
    public abstract long sendTo(long socket, long address, long length, Scratch scratch, int addressLength);

    /**
     * Sends datagrams in their order, as many as one call takes; how that went on with the others only the next call
     * tells.
     *
     * @param first the first of them
     * @param count the number, at least 1
     * @return how many were sent, at least 1, or a negated error number if the first was not
     */
    public int sendTo(long socket, DatagramArray datagrams, int first, int count) {
        try (Scratch scratch = Scratch.borrow(binding)) {
            long result = sendTo(socket, datagrams.dataAddress(first), datagrams.sendLength(first), scratch,
                    datagrams.giveAddress(first, scratch));
            return result < 0 ? (int) result : 1;
        }
    }

    /**
     * Sends a part of a file to a socket without its bytes passing through this process.
     *
     * @param socket   the socket to send to
     * @param file     the file to send from
     * @param position the position to begin at, in bytes
     * @param count    the number of bytes
     * @param room     has 8 bytes for the call's own use
     * @param at       their offset
     * @param address  their address
     * @return how many bytes, 0 at the end of the file, or {@code ENOSYS} where the system cannot do that, with this
     *         file or with any: then its bytes have to be read and sent
     */
    public abstract long sendFile(long socket, long file, long position, long count, ByteBuffer room, int at,
            long address);

    /** {@return whether there is {@link #sendHeadAndFile}} */
    public boolean joinsHeadAndFile() {
        return false;
    }

    /**
     * Sends a head and a part of a file by one call, otherwise as {@link #sendFile}.
     *
     * @param head       the address of the head
     * @param headLength its length in bytes, at least 1
     * @param count      how many bytes of the file, at least 1
     * @param room       has 64 bytes for the call's own use
     * @return how many bytes of the head and of the file; 0, without the head, at the end of the file
     * @throws UnsupportedOperationException unless it {@link #joinsHeadAndFile()}
     */
    public long sendHeadAndFile(long socket, long head, int headLength, long file, long position, long count,
            ByteBuffer room, int at, long address) {
        throw new UnsupportedOperationException(binding.os().title() + " sends a head by a call of its own");
    }

    /**
     * {@code recvmsg} of a datagram.
     *
     * @param message the address of a {@code msghdr}
     * @param memory  the memory where it lies
     * @param at      its offset
     * @return the datagram's length, at least one more than there was room for if it was cut off
     * @throws UnsupportedOperationException where there is no such call
     */
    public long receiveMessage(long socket, long message, ByteBuffer memory, int at) {
        throw new UnsupportedOperationException(binding.os().title() + " has no recvmsg");
    }

    /**
     * Waits until a socket is ready or closed.
     *
     * @param reading  true to wait until it can receive or accept, false until it can send
     * @param deadline until when
     * @param isOpen   whether the wait still makes sense
     * @return positive if it is ready, 0 if it is not, or a negated error number
     */
    public abstract int await(long socket, boolean reading, Deadline deadline, BooleanSupplier isOpen);

    // Threads

    /** {@return whether the scheduler goes by the priorities that Java gives its threads} */
    public boolean followsJavaPriorities() {
        return false;
    }

    /**
     * Sets the nice value of the calling thread.
     *
     * @param value from -20, scheduled first, to 19
     * @return 0 or a negated error number
     * @throws UnsupportedOperationException where threads have none of their own
     */
    public int setNiceValue(int value) {
        throw new UnsupportedOperationException(binding.os().title() + " has no nice value for a single thread");
    }

    // What only some systems have

    /**
     * The calls of Linux, for a facade of what only Linux has.
     *
     * @param subject the operation that needs them
     * @param instead the alternative on other systems
     * @return the calls
     * @throws UnsupportedOperationException elsewhere
     */
    public Linux linux(String subject, String instead) {
        throw new UnsupportedOperationException(subject + " needs Linux, and this is " + binding.os().title()
                + "; use " + instead);
    }

    /**
     * {@return this system, for names that are looked up in an open directory}
     *
     * @throws UnsupportedOperationException on Windows
     */
    public UnixSystem unix() {
        throw new UnsupportedOperationException(binding.os().title() + " looks no names up in an open directory");
    }

    // Any descriptor

    /**
     * Closes a descriptor. Before a call gets to the system, a binding needs a little heap. If there is none, this
     * waits for some, for up to a second or until an interrupt: no other thread would close the descriptor later.
     *
     * @param descriptor not to be used any more, whatever the result
     * @param isSocket   whether it is a socket
     * @return 0, or the error
     * @throws OutOfMemoryError if there is still no memory; the descriptor is open
     */
    public final int close(long descriptor, boolean isSocket) {
        long begin = System.nanoTime();
        while (true) {
            try {
                return closeOnce(descriptor, isSocket);
            } catch (OutOfMemoryError e) {
                // By the clock: each attempt may cost a collection of the garbage, which takes longer than the pause.
                if (System.nanoTime() - begin > CLOSE_PATIENCE_NANOS || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LockSupport.parkNanos(CLOSE_PAUSE_NANOS);
            }
        }
    }

    abstract int closeOnce(long descriptor, boolean isSocket);

    /**
     * Prepares a new socket, or on Unix any new descriptor. It is closed if that fails, also for lack of memory.
     *
     * @param descriptor  the descriptor
     * @param preparation the calls that it still needs; their result is a negated error number if the system refuses
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
     * Opens a pipe whose ends do not block: stores the end where bytes come out at {@link Scratch#VALUE}, followed by
     * the end where they go in.
     */
    public abstract int openPipe(Scratch scratch);

    /** {@return whether the ends of pipes are sockets} */
    public boolean pipesAreSockets() {
        return false;
    }

    public abstract long read(long descriptor, long address, long length);

    public abstract long write(long descriptor, long address, long length);

    // Files

    /**
     * Opens a file.
     *
     * @param path    the file
     * @param options how it is opened
     * @return the file
     */
    public abstract long open(Path path, OpenOptions options);

    /**
     * Stores what direct transfers of a file have to be multiples of, at {@link Scratch#DIRECT_MEMORY} and the places
     * behind it.
     *
     * @param file    the file
     * @param scratch has no path
     * @return 0, or a negated error number
     */
    public abstract int directAlignment(long file, Scratch scratch);

    public abstract long read(long file, long address, long length, long position);

    public abstract long write(long file, long address, long length, long position);

    public abstract long read(long file, Scratch scratch, int elements, long position);

    public abstract long write(long file, Scratch scratch, int elements, long position);

    /**
     * Writes to the end of a file that was opened for appending; a call with a position might write at that position
     * instead.
     */
    public abstract long append(long file, long address, long length);

    public abstract long append(long file, Scratch scratch, int elements);

    public abstract long size(long file);

    public abstract int truncate(long file, long size);

    /** Makes what was written to a file durable, as far as the system can. */
    public abstract int force(long file);

    /**
     * Makes what was written to a file durable, and of its status what is needed to read that again, such as its
     * length, but not, for example, the time of the write. Where the system knows no difference, as {@link #force}.
     */
    public int forceData(long file) {
        return force(file);
    }

    /**
     * Maps a part of a file.
     *
     * @param writable whether the memory may be written to
     * @param shared   whether that changes the file
     * @param position the position of the part, in bytes
     * @param length   its length in bytes
     * @return the address of the mapping, or a negated error number
     */
    public abstract long map(long file, boolean writable, boolean shared, long position, long length);

    public abstract int forceMapping(long address, long length);

    public abstract int unmap(long address, long length);
}
