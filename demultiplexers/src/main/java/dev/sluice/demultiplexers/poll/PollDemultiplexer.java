package dev.sluice.demultiplexers.poll;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.PollConstants;
import dev.sluice.calls.layout.Pollfd;
import dev.sluice.demultiplexer.ReadyHandles;
import dev.sluice.demultiplexers.handleset.IterativeDemultiplexer;
import dev.sluice.demultiplexers.handleset.PollEvents;
import dev.sluice.demultiplexers.handleset.PollTimeout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The handle set of {@code poll}: an array of {@code pollfd}, its first element the wake-up descriptor. */
public final class PollDemultiplexer extends IterativeDemultiplexer {

    /** The name by which it is chosen. */
    public static final String NAME = "poll";

    private static final int IGNORED = -1;

    private final Posix posix = Bindings.current().posix();
    private final Memory memory = Bindings.current().memory();
    private final List<Slot> slots = new ArrayList<>();
    private MemoryBlock pollfds = memory.allocate(64 * Pollfd.SIZE);
    private int firstToLookAt;

    /** Opens it with an empty set. */
    public PollDemultiplexer() throws IOException {
        super(NAME);
        Pollfd.set(pollfds.buffer(), 0, wakeUpDescriptor(), PollConstants.POLLIN);
    }

    // The slot at index i of the list is element i + 1 of the array.
    private static int at(int index) {
        return (index + 1) * Pollfd.SIZE;
    }

    @Override
    protected void apply(Slot slot) {
        if (!slot.isValid()) {
            takeOut(slot);
            return;
        }
        if (slot.place < 0) {
            slot.place = slots.size();
            slots.add(slot);
            if (at(slots.size()) > pollfds.buffer().capacity()) {
                grow();
            }
        }
        write(slot);
    }

    private void write(Slot slot) {
        int events = slot.activeEvents();
        // A negative descriptor is skipped. Without it a hang-up would be reported although nothing was asked for.
        int descriptor = events == 0 ? IGNORED : (int) slot.descriptor();
        Pollfd.set(pollfds.buffer(), at(slot.place), descriptor, PollEvents.toPoll(events));
    }

    private void takeOut(Slot slot) {
        if (slot.place >= 0) {
            Slot last = slots.remove(slots.size() - 1);
            if (last != slot) {
                last.place = slot.place;
                slots.set(last.place, last);
                write(last);
            }
            slot.place = -1;
        }
    }

    private void grow() {
        MemoryBlock larger = memory.allocate(Math.multiplyExact(pollfds.buffer().capacity(), 2));
        larger.buffer().put(0, pollfds.buffer(), 0, pollfds.buffer().capacity());
        pollfds.close();
        pollfds = larger;
    }

    @Override
    protected int call(long timeoutNanos) {
        return posix.poll(pollfds.address(), slots.size() + 1L, PollTimeout.millis(timeoutNanos));
    }

    @Override
    protected boolean wokenUp() {
        return Pollfd.revents(pollfds.buffer(), 0) != 0;
    }

    @Override
    protected void collect(ReadyHandles ready, int found) {
        int left = found;
        int size = slots.size();
        int index = firstToLookAt < size ? firstToLookAt : 0;
        for (int looked = 0; looked < size && left > 0 && !ready.isFull(); looked++) {
            int revents = Pollfd.revents(pollfds.buffer(), at(index));
            if (revents != 0) {
                left--;
                report(ready, slots.get(index), PollEvents.fromPoll(revents));
            }
            index = index + 1 < size ? index + 1 : 0;
        }
        firstToLookAt = index;
    }

    @Override
    protected void dispose() {
        pollfds.close();
    }
}
