package dev.sluice.mechanism.wfmo;

import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.mechanism.handleset.CollectedHandles;
import dev.sluice.mechanism.handleset.HandleSet;
import dev.sluice.mechanism.handleset.Member;

/** A member with a place, whose event object is set when something happens to the handle. */
abstract class WfmoMember extends Member {

    static final int NOWHERE = -1;

    private int place = NOWHERE;

    WfmoMember(HandleSet set, Handle handle, int events, Object attachment) throws HandleClosedException {
        super(set, handle, events, attachment);
    }

    final void placed(int newPlace) {
        place = newPlace;
    }

    final int place() {
        return place;
    }

    /**
     * Its event was set, or may be late: reports the member if it is ready and the caller is the thread to report it.
     */
    abstract void report(CollectedHandles ready);
}
