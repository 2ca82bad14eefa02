package dev.sluice.demultiplexer.handleset;

import dev.sluice.demultiplexer.spi.ReadyBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A set whose members have places from 0 on without gaps: when a member leaves, the last one takes its place. */
public abstract class ArrayDemultiplexer extends ProcessSetDemultiplexer {

    private final List<Slot> slots;
    private int scanStart;

    /**
     * Opens it with an empty set.
     *
     * @param name the name of the mechanism
     */
    protected ArrayDemultiplexer(String name) throws IOException {
        super(name);
        try {
            slots = new ArrayList<>();
        } catch (Throwable e) {
            discard();
            throw e;
        }
    }

    /** {@return the number of members, which is one more than the last place} */
    protected final int members() {
        return slots.size();
    }

    /** {@return the member at a place} */
    protected final Slot member(int place) {
        return slots.get(place);
    }

    /**
     * Ensures that the arrays have space for the given number of members. Called before the last of them gets its
     * place.
     */
    protected abstract void ensureCapacity(int members);

    /** Called when a member has been given a place, or waits for different events. */
    protected abstract void write(Slot slot);

    /**
     * Called when a member has moved to another place. It may itself have left the set and not have been removed from
     * the array yet, while its handle has been registered again and has a place of its own.
     *
     * @param slot the member
     * @param from the previous place of the member, which is now free
     */
    protected void moved(Slot slot, int from) {
        write(slot);
    }

    /** Called when a member has left, before its place is given to the last member. */
    protected void removed(Slot slot) {
    }

    /** {@return the events that the last call found at a place, 0 if there are none} */
    protected abstract int eventsAt(int place);

    @Override
    protected final void apply(Slot slot) {
        if (!slot.isValid()) {
            removeFromArray(slot);
            return;
        }
        if (slot.place < 0) {
            ensureCapacity(slots.size() + 1);
            slot.place = slots.size();
            slots.add(slot);
        }
        write(slot);
    }

    private void removeFromArray(Slot slot) {
        if (slot.place >= 0) {
            removed(slot);
            Slot last = slots.remove(slots.size() - 1);
            if (last != slot) {
                int from = last.place;
                last.place = slot.place;
                slots.set(last.place, last);
                moved(last, from);
            }
            slot.place = -1;
        }
    }

    @Override
    protected final void collect(ReadyBatch ready, int found) {
        int left = found;
        int size = slots.size();
        int place = scanStart < size ? scanStart : 0;
        for (int looked = 0; looked < size && left > 0 && !ready.isFull(); looked++) {
            int events = eventsAt(place);
            if (events != 0) {
                left--;
                report(ready, slots.get(place), events);
            }
            place = place + 1 < size ? place + 1 : 0;
        }
        scanStart = place;
    }
}
