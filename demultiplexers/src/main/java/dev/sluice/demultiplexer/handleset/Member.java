package dev.sluice.demultiplexer.handleset;

import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.spi.CloseListener;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.handle.spi.Descriptors;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The requested state of a membership, in one atomic word, which the mechanism follows. Callers therefore see the
 * requested state even while another thread is still updating the mechanism.
 */
public abstract class Member implements Membership, CloseListener {

    private static final int VALID = 1 << 8;
    private static final int ACTIVE = 1 << 9;
    /** The member has been reported by a one-shot set and not been rearmed yet. */
    private static final int QUIET = 1 << 10;
    /** The mechanism has refused to follow. The next request updates it again, even if it asks for the same state. */
    private static final int BEHIND = 1 << 11;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Member.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final HandleSet set;
    private final Descriptor held;
    private final @Nullable Object attachment;
    private final long descriptor;
    /** The data by which an event finds this member, see {@link MemberTable}; 0 in a set without a table. */
    private long eventData;
    private volatile int state;
    private boolean holding = true;

    /**
     * Creates a membership, which holds the handle open; {@link #enter()} adds it to the set.
     *
     * @param set        the set
     * @param handle     the handle
     * @param events the events to wait for
     * @param attachment the attachment of the membership
     */
    protected Member(HandleSet set, Handle handle, int events, @Nullable Object attachment)
            throws HandleClosedException {
        this.set = set;
        this.held = Descriptors.of(Objects.requireNonNull(handle, "handle"));
        this.attachment = attachment;
        this.state = EventType.requireIo(events) | VALID | ACTIVE;
        this.descriptor = held.acquire();
    }

    @Override
    public final Handle handle() {
        return held.handle();
    }

    @Override
    public final @Nullable Object attachment() {
        return attachment;
    }

    /**
     * Brings the mechanism to the requested state, or ensures that another thread does so. May be called by several
     * threads at the same time.
     */
    protected abstract void follow() throws IOException;

    /**
     * Adds the membership to the set and begins to follow its state. Called once, at the end of a registration.
     *
     * @throws IllegalStateException if the handle is in the set already
     * @throws HandleClosedException if the handle has been closed in the meantime, or the set is closed
     */
    public final void enter() throws IOException {
        try {
            set.add(this);
            held.addCloseListener(this);
            catchUp();
        } catch (Throwable e) {
            remove();
            throw e;
        }
        if (!isValid()) {
            throw new HandleClosedException(handle());
        }
    }

    /** {@return the handle's descriptor, which is open until {@link #releaseHandle()}} */
    public final long descriptor() {
        return descriptor;
    }

    /** {@return the data by which an event of the system finds this member, never 0; 0 in a set without a table} */
    public final long eventData() {
        return eventData;
    }

    final void setEventData(long data) {
        eventData = data;
    }

    @Override
    public final int events() {
        return state & EventType.IO;
    }

    @Override
    public final int activeEvents() {
        int now = state;
        return (now & ACTIVE) != 0 ? now & EventType.IO : 0;
    }

    /** {@return the events that the mechanism should report now} */
    public final int armedEvents() {
        int now = state;
        return (now & (ACTIVE | QUIET)) == ACTIVE ? now & EventType.IO : 0;
    }

    @Override
    public final boolean isValid() {
        return (state & VALID) != 0;
    }

    @Override
    public final void setEvents(int events) throws IOException {
        EventType.requireIo(events);
        // Without enough stack for the update, the mechanism and this state might differ.
        StackReserve.requireForCall();
        int before;
        do {
            before = state;
            if ((before & VALID) == 0) {
                throw new IllegalStateException(this + ": the membership has been removed");
            }
        } while (!STATE.compareAndSet(this, before, before & ~EventType.IO | events));
        if ((before & EventType.IO) != events || (before & BEHIND) != 0) {
            catchUp();
        }
    }

    private void catchUp() throws IOException {
        boolean followed = false;
        STATE.getAndBitwiseAnd(this, ~BEHIND);
        try {
            follow();
            followed = true;
        } finally {
            if (!followed) {
                STATE.getAndBitwiseOr(this, BEHIND);
            }
        }
    }

    @Override
    public final void deactivate() throws IOException {
        if (((int) STATE.getAndBitwiseAnd(this, ~ACTIVE) & (ACTIVE | BEHIND)) != 0) {
            catchUp();
        }
    }

    @Override
    public final void activate() throws IOException {
        int before;
        do {
            before = state;
            if ((before & VALID) == 0 || (before & (ACTIVE | BEHIND)) == ACTIVE) {
                return;
            }
        } while (!STATE.compareAndSet(this, before, before | ACTIVE));
        catchUp();
    }

    /**
     * Decides which of the threads that have received an event of this member from a one-shot mechanism reports it.
     *
     * @return whether the caller reports the member
     */
    public final boolean claimReport() {
        return ((int) STATE.getAndBitwiseOr(this, QUIET) & QUIET) == 0;
    }

    /**
     * Decides whether an event is reported. An event that is no longer wanted is not; the thread that has changed the
     * membership updates the mechanism.
     *
     * @param events the events that the handle is ready for
     * @param once whether the set is one-shot, so that several threads may have received the event
     * @return whether the caller must report the event
     */
    public final boolean mayReport(int events, boolean once) {
        return (events & activeEvents()) != 0 && (!once || claimReport());
    }

    /**
     * {@return whether the mechanism is edge-triggered: it reports each change once, and a member again when it is
     * updated}
     */
    protected boolean isEdgeTriggered() {
        return false;
    }

    @Override
    public void rearm() throws IOException {
        if (isEdgeTriggered()) {
            catchUp();
        } else if (((int) STATE.getAndBitwiseAnd(this, ~QUIET) & (QUIET | BEHIND)) != 0) {
            catchUp();
        }
    }

    @Override
    public final void remove() {
        if (((int) STATE.getAndSet(this, 0) & VALID) != 0) {
            set.remove(this);
            held.removeCloseListener(this);
            try {
                follow();
            } catch (IOException e) {
                throw new IllegalStateException("leaving a handle set failed: " + this, e);
            }
        }
    }

    /** Releases the handle's descriptor, which the mechanism no longer uses. Called by one thread at a time. */
    protected final void releaseHandle() {
        if (holding) {
            holding = false;
            held.release();
        }
    }

    @Override
    public final void handleClosing(Handle closing) {
        remove();
    }

    /** {@return the handle and its events} */
    @Override
    public final String toString() {
        return held + " [" + EventType.toString(events()) + (isValid() ? "]" : ", removed]");
    }
}
