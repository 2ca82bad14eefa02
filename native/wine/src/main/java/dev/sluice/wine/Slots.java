package dev.sluice.wine;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * The slots of the calling threads. A thread keeps its slot; when it has ended, slot and host thread go to the next
 * thread that needs one, so there are never more slots than calling threads that were alive at the same time.
 */
final class Slots {

    /** How many living threads can have made calls. */
    static final int MOST = 500;

    /** Makes the host serve the slot with a given number from now on. */
    @FunctionalInterface
    interface Opener {

        Slot open(int number);
    }

    private record Allotment(Slot slot, WeakReference<Thread> owner) {

        boolean isLeft() {
            Thread thread = owner.get();
            return thread == null || !thread.isAlive();
        }
    }

    private final Opener opener;
    private final List<Allotment> allotments = new ArrayList<>();
    private final ThreadLocal<Slot> own = ThreadLocal.withInitial(this::allot);

    Slots(Opener opener) {
        this.opener = opener;
    }

    /** {@return the slot of the calling thread} */
    Slot own() {
        return own.get();
    }

    private synchronized Slot allot() {
        WeakReference<Thread> owner = new WeakReference<>(Thread.currentThread());
        for (int i = 0; i < allotments.size(); i++) {
            if (allotments.get(i).isLeft()) {
                Slot slot = allotments.get(i).slot();
                allotments.set(i, new Allotment(slot, owner));
                return slot;
            }
        }
        if (allotments.size() == MOST) {
            throw new HostFailure("more than " + MOST + " threads call the Win32 host");
        }
        Slot slot = opener.open(allotments.size());
        allotments.add(new Allotment(slot, owner));
        return slot;
    }
}
