package dev.sluice.mechanism.wfmo;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import dev.sluice.handle.WaitObject;
import dev.sluice.mechanism.handleset.CollectedHandles;
import dev.sluice.mechanism.handleset.HandleSet;
import java.io.IOException;

/**
 * An object that the wait functions take: an event or a process. A thread of the system waits for it once each time
 * this is armed, and sets the event of the place. The waiters do not wait for the object itself: one that stays
 * signalled would end every wait until it is removed, and it must not be closed while a wait for it goes on.
 *
 * <p>Where a wait resets the object, the thread of the system is that wait. It then sets an event that belongs to this
 * member alone, {@link #taken}, and a second wait sets the one of the place. So nobody takes the event of the place,
 * which may be late and have been meant for an earlier member, for a signal.
 *
 * <p>The first wait goes on until the object is signalled or the member leaves. To end it earlier could lose a signal,
 * which the wait has taken when it is ended, but not told of. So a member that is not to report takes a signal as well,
 * and keeps it; one that leaves gives it back, unless it came in the moment in which the wait was ended.
 */
final class ObjectMember extends WfmoMember {

    private static final int NONE = 0;

    private final WfmoDemultiplexer demultiplexer;
    private final Binding binding;
    private final Windows windows;
    private final MemoryBlock memory;
    /** Set when the object has been reset on behalf of this member; {@link #NONE} if a wait does not reset it. */
    private final long taken;

    // Guarded by this object.
    private ObjectWait taking;
    private ObjectWait telling;
    /** Whether {@link #taking} has begun, and what it takes has not been reported. */
    private boolean takes;
    private boolean left;

    private ObjectMember(WfmoDemultiplexer demultiplexer, HandleSet set, Handle handle, int events, Object attachment,
                         Binding binding, MemoryBlock memory, long taken) throws IOException {
        super(set, handle, events, attachment);
        this.demultiplexer = demultiplexer;
        this.binding = binding;
        this.windows = binding.windows();
        this.memory = memory;
        this.taken = taken;
    }

    /** Makes a member without a place. */
    static ObjectMember of(WfmoDemultiplexer demultiplexer, HandleSet set, Handle handle, int events,
                           Object attachment) throws IOException {
        Binding binding = Bindings.current();
        MemoryBlock memory = binding.memory().allocate(Long.BYTES);
        long taken = NONE;
        boolean made = false;
        try {
            if (handle.waitObject() == WaitObject.RESET_BY_WAIT) {
                taken = binding.windows().CreateEventW(0, 1, 0, 0);
                if (taken < 0) {
                    throw new SystemCallException("CreateEvent", handle, WindowsError.toErrno(taken));
                }
            }
            ObjectMember member =
                    new ObjectMember(demultiplexer, set, handle, events, attachment, binding, memory, taken);
            made = true;
            return member;
        } finally {
            if (!made) {
                memory.close();
                if (taken > NONE) {
                    binding.windows().CloseHandle(taken);
                }
            }
        }
    }

    @Override
    protected synchronized void follow() throws IOException {
        if (left) {
            return;
        }
        if (!isValid()) {
            leave();
        } else if ((armedEvents() & EventType.READ) != 0) {
            arm();
        }
    }

    private void arm() throws IOException {
        if (telling == null) {
            long callback = demultiplexer.setEventFunction();
            if (taken != NONE && taking == null) {
                taking = new ObjectWait(binding, callback, descriptor(), taken);
            }
            telling = new ObjectWait(binding, callback, taken == NONE ? descriptor() : taken,
                    demultiplexer.event(place()));
        }
        telling.begin();
        if (taking != null && !takes) {
            taking.begin();
            takes = true;
        }
    }

    /** {@return whether there is something to report, if only that this cannot be told} */
    private boolean isSignalled() {
        memory.buffer().putLong(0, taken == NONE ? descriptor() : taken);
        int result = windows.WaitForMultipleObjects(1, memory.address(), 0, 0);
        // If it fails, so does the next call on the handle, which will tell why.
        return result < 0 || result == Win32Constants.WAIT_OBJECT_0;
    }

    @Override
    synchronized void report(CollectedHandles ready) {
        if (left || (armedEvents() & EventType.READ) == 0) {
            return;
        }
        // Somebody may have reset it meanwhile, or the event of the place was meant for another member.
        boolean signalled = isSignalled();
        if ((signalled || !isArmedAgain()) && quieten()) {
            if (signalled && taken != NONE) {
                windows.ResetEvent(taken);
                takes = false;
            }
            ready.add(this, EventType.READ);
        }
    }

    /** {@return false if the system refuses: then whoever gets the report will arm it once more, and be told why} */
    private boolean isArmedAgain() {
        try {
            arm();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void leave() throws IOException {
        left = true;
        try {
            closeWaits();
        } finally {
            if (taken != NONE) {
                giveBack();
                windows.CloseHandle(taken);
            }
            demultiplexer.forget(this);
            memory.close();
            letGo();
            demultiplexer.leftByObject();
        }
    }

    private void closeWaits() throws IOException {
        try {
            if (taking != null) {
                taking.close();
            }
        } finally {
            if (telling != null) {
                telling.close();
            }
        }
    }

    private void giveBack() {
        if (isSignalled()) {
            // If it fails, the handle is none of an event any more.
            windows.SetEvent(descriptor());
        }
    }
}
