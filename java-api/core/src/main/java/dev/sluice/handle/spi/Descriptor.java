package dev.sluice.handle.spi;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.deadline.Deadline;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.FileAlignment;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.OperatingSystem;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inside of a {@link Handle}: the descriptor of the operating system, its users, and its close listeners. For the
 * facades of the handle's package, and for callers of {@link Descriptors}.
 *
 * <p>The operating system may reuse a descriptor number as soon as the descriptor is closed. So a thread that makes a
 * call on the descriptor is a <em>user</em> of it for as long as the call lasts ({@link #acquire()},
 * {@link #release()}), and the descriptor is closed when the handle has been closed <em>and</em> the last user has
 * released it. A demultiplexer is a user while the handle is registered with it; its close listener releases the
 * descriptor.
 *
 * <p>All methods may be called from any thread.
 */
public final class Descriptor {

    private static final Logger LOG = LoggerFactory.getLogger(Handle.class);

    private static final int CLOSED = 1 << 31;
    /** State of a descriptor that is closed or being closed, or that belongs to the caller of {@link #surrender}. */
    private static final int GONE = CLOSED | 1 << 30;
    private static final int USERS = ~GONE;
    /** Number of compiled calls that take at least as much stack as the interpreted call of {@link #release()}. */
    private static final int FRAMES_OF_A_RELEASE = 5;

    /**
     * Updater of the state; not a {@code VarHandle}, because its first use needs memory, which the first close may
     * lack.
     */
    private static final AtomicIntegerFieldUpdater<Descriptor> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Descriptor.class, "state");
    private static final AtomicReferenceFieldUpdater<Descriptor, HandleUse> USE =
            AtomicReferenceFieldUpdater.newUpdater(Descriptor.class, HandleUse.class, "use");

    private final Handle handle;
    private final long number;
    private final boolean isSocket;
    private final FileUse transfers;
    private final Binding binding;
    private final OperatingSystem system;
    private volatile String subject;
    /** The latest registration; null if there is none. */
    private volatile HandleUse use;

    /**
     * The number of users; the sign bit is set when the handle is closed. The value stays {@link #CLOSED} if there was
     * no memory or stack to close the descriptor.
     */
    private volatile int state;
    private final CloseListeners listeners = new CloseListeners();
    /** Number of threads in {@link #await} that a shutdown of the socket has to wake. Guarded by this. */
    private volatile int waiters;
    /** Whether other handles have descriptors of the same socket. */
    private volatile boolean shared;
    /** Number of users whose release lacked the stack to be counted. Guarded by this. */
    private volatile int uncounted;

    /**
     * Creates the descriptor of a handle, which closes it.
     *
     * @param number   the number of the descriptor
     * @param isSocket whether it is a socket, which some systems close with a separate call
     * @param use      the use of a file
     * @param subject  a description, for messages
     */
    public Descriptor(Handle handle, Binding binding, long number, boolean isSocket, FileUse use, String subject) {
        this.handle = handle;
        this.binding = binding;
        this.system = OperatingSystem.of(binding);
        this.number = number;
        this.isSocket = isSocket;
        this.transfers = use;
        this.subject = subject;
    }

    /** {@return the handle} */
    public Handle handle() {
        return handle;
    }

    /**
     * Begins a registration.
     *
     * @param by the registration
     * @throws IllegalStateException if the handle is registered elsewhere, and that has not ended
     */
    public void beginUse(HandleUse by) {
        HandleUse before;
        do {
            before = use;
            if (before != null && before.isOpen() && before.dispatcher() != by.dispatcher()) {
                throw new IllegalStateException("register: " + handle + " is registered with " + before.dispatcher()
                        + " already; close that registration, and register with " + by.dispatcher()
                        + " when it has ended");
            }
        } while (!USE.compareAndSet(this, before, by));
    }

    /** Ends a registration. */
    public void endUse(HandleUse by) {
        USE.compareAndSet(this, by, null);
    }

    /**
     * Makes the caller a user of the descriptor, which stays open until the matching {@link #release()}, even if the
     * handle is closed.
     *
     * @return the descriptor
     * @throws HandleClosedException if the handle is closed
     */
    public long acquire() throws HandleClosedException {
        // Without this, a thread whose stack is full could not release the descriptor.
        descend(FRAMES_OF_A_RELEASE, 1, 2, 3, 4, 5);
        int users = state;
        while (users >= 0) {
            if (STATE.compareAndSet(this, users, users + 1)) {
                return number;
            }
            users = state;
        }
        throw new HandleClosedException(handle);
    }

    /** Tests for stack as {@link StackReserve} does; repeated here to keep the path of each call short. */
    private static long descend(int left, long a, long b, long c, long d, long e) {
        return left == 0 ? a : descend(left - 1, b, c, d, e, a) + (a ^ b << 1 ^ c << 2 ^ d << 3 ^ e << 4);
    }

    /**
     * Ends the use of the descriptor by the caller. The last user of a closed handle closes the descriptor.
     *
     * @throws IllegalStateException if the descriptor has no user
     */
    public void release() {
        int users;
        try {
            do {
                users = state;
                if ((users & USERS) == 0) {
                    throw new IllegalStateException("released more often than acquired: " + this);
                }
            } while (!STATE.compareAndSet(this, users, users - 1));
        } catch (StackOverflowError e) {
            // The stack that acquire() has tested for was enough to get here, but it is not enough for another call.
            synchronized (this) {
                uncounted++;
            }
            return;
        }
        if (users == CLOSED + 1) {
            closeDescriptor();
        } else if (users < 0 && uncounted > 0) {
            releaseUncounted();
        }
    }

    private void releaseUncounted() {
        int count;
        synchronized (this) {
            count = uncounted;
            uncounted = 0;
        }
        for (int i = 0; i < count; i++) {
            release();
        }
    }

    /** Closes the descriptor if it has no users left, unless another thread does. */
    private void closeDescriptor() {
        if (!STATE.compareAndSet(this, CLOSED, GONE)) {
            return;
        }
        int result;
        try {
            result = system.close(number, isSocket);
        } catch (OutOfMemoryError | StackOverflowError e) {
            // It is still open.
            state = CLOSED;
            throw e;
        }
        if (result < 0) {
            LOG.warn("close {}: {}", this, Errno.describe(result));
        }
    }

    /** {@return whether the handle has not been closed} */
    public boolean isOpen() {
        return state >= 0;
    }

    /**
     * Rejects new calls from now on, calls the listeners, ends the waits of other threads, and closes the descriptor;
     * if other threads are inside a call, the last of them closes it. Closing again only repeats steps for which there
     * was no memory before.
     *
     * <p>If a listener throws, which it must not, the exception is rethrown after all these steps; exceptions of
     * further listeners are added to it as suppressed ones.
     */
    public void close() {
        // Without stack, no listener could be called.
        StackReserve.requireForWait();
        boolean user = refuseCalls();
        try {
            endWaits();
        } finally {
            if (user) {
                release();
            }
        }
    }

    /**
     * Closes the handle as {@link #close()} does, but leaves the descriptor open for the caller, which must be a user
     * of it and ceases to be one by this call.
     *
     * @return the descriptor, which no other thread uses or will close; -1 if there are other users, the last of which
     *         closes it, or if the handle was already closed. The caller is no longer a user even if a listener throws
     */
    public long surrender() {
        boolean first = isOpen() && refuseCalls();
        boolean alone = false;
        try {
            if (first) {
                endWaits();
                if (uncounted > 0) {
                    releaseUncounted();
                }
                alone = STATE.compareAndSet(this, CLOSED + 2, GONE);
            }
        } finally {
            if (!alone) {
                if (first) {
                    release();
                }
                release();
            }
        }
        return alone ? number : -1;
    }

    /**
     * Rejects new users, and makes the caller, which closes the handle, a user. Returns false if the descriptor is
     * already closed.
     */
    private boolean refuseCalls() {
        int users;
        do {
            users = state;
            if (users == GONE) {
                return false;
            }
        } while (!STATE.compareAndSet(this, users, (users + 1) | CLOSED));
        return true;
    }

    private void endWaits() {
        try {
            listeners.notifyOf(handle);
        } finally {
            if (waiters > 0) {
                // The only call that ends another thread's poll(2) on this socket. On Linux it does so even when it
                // fails, as on an unconnected datagram socket.
                system.shutdown(number, SocketConstants.SHUT_RDWR);
            }
        }
    }

    /**
     * Adds a listener for the close.
     *
     * @param listener called once, in {@link #close()}
     * @throws HandleClosedException if the handle is already closed; the listener is not called then
     */
    public void addCloseListener(CloseListener listener) throws HandleClosedException {
        listeners.add(listener, this);
    }

    /**
     * Removes a listener. A close that is already in progress may still call it. Needs no memory, so that a handle can
     * be released even when there is none.
     *
     * @param listener the listener; nothing happens if it was not added
     */
    public void removeCloseListener(CloseListener listener) {
        listeners.remove(listener);
    }

    /**
     * Checks that the handle is open. Called before a failure or an end of stream is reported, because these may result
     * from a close, which shuts down a socket that another thread waits on.
     *
     * @throws HandleClosedException if the handle has been closed
     */
    public void requireOpen() throws HandleClosedException {
        if (!isOpen()) {
            throw new HandleClosedException(handle);
        }
    }

    /**
     * Waits until the handle is ready.
     *
     * @param reading true to wait until it can receive or accept, false until it can send
     * @param wait    the deadline
     * @return whether it became ready before the deadline
     * @throws IOException if the call fails, or the handle is closed
     */
    public boolean await(boolean reading, Deadline wait) throws IOException {
        long fd = acquire();
        int counted = shared ? 0 : 1;
        synchronized (this) {
            waiters += counted;
        }
        try {
            // A close before this thread was counted as waiting has not woken it, but this check detects it; a later
            // close wakes it.
            int result = !isOpen() ? 0 : counted == 0 ? SharedWait.await(system, fd, reading, wait, this::isOpen)
                    : system.await(fd, reading, wait, this::isOpen);
            requireOpen();
            if (result < 0) {
                throw new SystemCallException("poll", handle, result);
            }
            return result > 0;
        } finally {
            synchronized (this) {
                waiters -= counted;
            }
            release();
        }
    }

    /** Records that other handles have descriptors of the same socket: a close shuts it down for earlier waits only. */
    public void share() {
        shared = true;
    }

    /** {@return whether it is a socket, which some systems close with a separate call} */
    public boolean isSocket() {
        return isSocket;
    }

    /** {@return whether it is a file opened for appending, whose writes go to its end} */
    public boolean appends() {
        return transfers.appends();
    }

    /** {@return the alignment of its transfers; null unless it is a file with direct access} */
    public FileAlignment alignment() {
        return transfers.alignment();
    }

    /** {@return the properties of its transfers} */
    public FileUse transfers() {
        return transfers;
    }

    /** {@return the operating system, which makes calls on it} */
    public OperatingSystem system() {
        return system;
    }

    /** {@return the binding that makes the calls on it} */
    public Binding binding() {
        return binding;
    }

    /** Replaces the description for messages. */
    public void describe(String newSubject) {
        subject = newSubject;
    }

    /** {@return the description for messages} */
    public String subject() {
        return subject;
    }

    /** {@return for example {@code tcp 127.0.0.1:7007 (fd 12)}} */
    @Override
    public String toString() {
        return subject + " (fd " + number + ")";
    }
}
