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
 * What a {@link Handle} holds: the descriptor of the operating system, its users, and the listeners for its close. For
 * the facades of the handle's package, and for callers of {@link Descriptors}.
 *
 * <p>The operating system may reuse a descriptor number as soon as the descriptor is closed. So a thread that makes a
 * call on the descriptor is a <em>user</em> of it for as long as the call lasts ({@link #acquire()}, {@link
 * #release()}), and the descriptor is closed when the handle has been closed <em>and</em> the last user has left. A
 * demultiplexer is a user for as long as the handle is registered with it; it listens for the close, and then leaves.
 *
 * <p>All methods may be called from any thread.
 */
public final class Descriptor {

    private static final Logger LOG = LoggerFactory.getLogger(Handle.class);

    private static final int CLOSED = 1 << 31;
    /** The descriptor is closed, or being closed, or belongs to the caller of {@link #surrender}. */
    private static final int GONE = CLOSED | 1 << 30;
    private static final int USERS = ~GONE;
    /**
     * Number of compiled calls that take as much stack as the interpreted call of {@link #release()}, and some more.
     */
    private static final int FRAMES_OF_A_RELEASE = 5;

    /** No {@code VarHandle}: the first use of one needs memory, and the first close may have to do without. */
    private static final AtomicIntegerFieldUpdater<Descriptor> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Descriptor.class, "state");
    private static final AtomicReferenceFieldUpdater<Descriptor, HandleUse> USE =
            AtomicReferenceFieldUpdater.newUpdater(Descriptor.class, HandleUse.class, "use");

    private final Handle handle;
    private final long number;
    private final boolean isSocket;
    private final boolean appends;
    /** Null unless it is a file that is accessed directly. */
    private final FileAlignment alignment;
    private final Binding binding;
    private final OperatingSystem system;
    private volatile String subject;
    /** The last registration; null if there is none. */
    private volatile HandleUse use;

    /**
     * The number of users; the sign bit says that the handle is closed. {@link #CLOSED} alone stays if memory or stack
     * was lacking to close the descriptor.
     */
    private volatile int state;
    private final CloseListeners listeners = new CloseListeners();
    /** Guarded by this. */
    private volatile int waiters;
    /** Guarded by this; users that have left, and that had no stack to be counted out. */
    private volatile int uncounted;

    /**
     * Creates the descriptor of a handle, which closes it.
     *
     * @param number   as the system calls it
     * @param isSocket whether it is a socket, which some systems close with a call of its own
     * @param use      the use of a file
     * @param subject  a description, for messages
     */
    public Descriptor(Handle handle, Binding binding, long number, boolean isSocket, FileUse use, String subject) {
        this.handle = handle;
        this.binding = binding;
        this.system = OperatingSystem.of(binding);
        this.number = number;
        this.isSocket = isSocket;
        this.appends = use.appends();
        this.alignment = use.alignment();
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
     * Enters a call on the descriptor: even if the handle is closed, the descriptor stays open until the matching
     * {@link #release()}.
     *
     * @return the descriptor
     * @throws HandleClosedException if the handle is closed
     */
    public long acquire() throws HandleClosedException {
        // Or a thread whose stack is full would be a user forever.
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

    /** As in {@link StackReserve}, which this does not enter, since it is part of each call. */
    private static long descend(int left, long a, long b, long c, long d, long e) {
        return left == 0 ? a : descend(left - 1, b, c, d, e, a) + (a ^ b << 1 ^ c << 2 ^ d << 3 ^ e << 4);
    }

    /**
     * Leaves a call on the descriptor. The last to leave a closed handle closes the descriptor.
     *
     * @throws IllegalStateException if there is no user that could leave
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
            // The stack that acquire() has asked for was enough to get here. Nothing may be called any more.
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

    /** Closes the descriptor, if that is due, and no other thread does. */
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
     * Refuses new calls from now on, calls the listeners, ends the waits of other threads, and closes the descriptor,
     * or leaves that to the last thread that is inside a call. Closing again does nothing, except what there was no
     * memory for before.
     *
     * <p>If a listener throws, which it must not, the exception is rethrown once all that is done; those of further
     * listeners are added to it as suppressed.
     */
    public void close() {
        // So that no listener is left out.
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
     * Closes the handle as {@link #close()} does, but leaves closing the descriptor to the caller,
     * which must be a user of the handle and stops being one with this call.
     *
     * @return the descriptor, which no other thread uses or will close; -1 if there are other users left, the last of
     *         which closes it, or if the handle had been closed before; if a listener throws, the caller is no longer a
     *         user either
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

    /** Refuses new users, and makes the caller, which closes the handle, a user; not if the descriptor is gone. */
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
     * @throws HandleClosedException if the handle is closed already; the listener is not called then
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
     * Checks that the handle is open. To be called before a failure or an end of stream is reported, which may result
     * from a close: that shuts down a socket that another thread waits for.
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
     * @param wait    the time left
     * @return whether it became ready before the time was over
     * @throws IOException if the call fails, or the handle is closed
     */
    public boolean await(boolean reading, Deadline wait) throws IOException {
        long fd = acquire();
        synchronized (this) {
            waiters++;
        }
        try {
            // A close before this thread was counted as waiting has not woken it, but is seen by this check; a later
            // close wakes it.
            int result = isOpen() ? system.await(fd, reading, wait, this::isOpen) : 0;
            requireOpen();
            if (result < 0) {
                throw new SystemCallException("poll", handle, result);
            }
            return result > 0;
        } finally {
            synchronized (this) {
                waiters--;
            }
            release();
        }
    }

    /** {@return whether it is a socket, which some systems close with a call of its own} */
    public boolean isSocket() {
        return isSocket;
    }

    /** {@return whether it is a file opened for appending, whose writes go to its end} */
    public boolean appends() {
        return appends;
    }

    /** {@return what its transfers have to be multiples of; null unless it is a file that is accessed directly} */
    public FileAlignment alignment() {
        return alignment;
    }

    /** {@return the system that makes the calls on it} */
    public OperatingSystem system() {
        return system;
    }

    /** {@return the binding that makes the calls on it} */
    public Binding binding() {
        return binding;
    }

    /** Says what it is from now on, for messages. */
    public void describe(String newSubject) {
        subject = newSubject;
    }

    /** {@return what it is, for messages} */
    public String subject() {
        return subject;
    }

    /** {@return for example {@code tcp 127.0.0.1:7007 (fd 12)}} */
    @Override
    public String toString() {
        return subject + " (fd " + number + ")";
    }
}
