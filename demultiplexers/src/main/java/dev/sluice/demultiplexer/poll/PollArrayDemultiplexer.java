package dev.sluice.demultiplexer.poll;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.handleset.ArrayDemultiplexer;
import dev.sluice.demultiplexer.handleset.PollBits;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The handle set of {@code poll} and {@code WSAPoll}: an array of structures, each with the events to wait for and the
 * events that were found. The first structure is for the wake-up descriptor, and is followed by one for each place.
 */
abstract class PollArrayDemultiplexer extends ArrayDemultiplexer {

    private static final int IGNORED = -1;

    private final Memory memory = Bindings.current().memory();
    private final int structureSize;
    private final PollBits bits;
    private MemoryBlock array;
    /** The previous array, until it has been freed; otherwise null. */
    private @Nullable MemoryBlock outgrown;

    PollArrayDemultiplexer(String name, int structureSize, PollBits bits) throws IOException {
        super(name);
        this.structureSize = structureSize;
        this.bits = bits;
        try {
            this.array = memory.allocate(64 * structureSize);
        } catch (Throwable e) {
            discard();
            throw e;
        }
    }

    /** Fills in a structure; the system skips one with a negative descriptor. */
    abstract void set(ByteBuffer structures, int at, long descriptor, int events);

    abstract int revents(ByteBuffer structures, int at);

    abstract int poll(long structures, int count, int timeoutMillis);

    /** Must be called once, before the first wait. */
    final void writeWakeUp(int events) {
        set(array.buffer(), 0, wakeUpDescriptor(), events);
    }

    private int at(int place) {
        return (place + 1) * structureSize;
    }

    @Override
    protected final void ensureCapacity(int members) {
        if (at(members) > array.buffer().capacity()) {
            grow();
        }
    }

    @Override
    protected final void write(Slot slot) {
        int events = slot.activeEvents();
        // A member without active events is skipped, because the system would still report a hang-up.
        set(array.buffer(), at(slot.place), events == 0 ? IGNORED : slot.descriptor(), bits.of(events));
    }

    private void grow() {
        freeOutgrown();
        MemoryBlock larger = memory.allocate(Math.multiplyExact(array.buffer().capacity(), 2));
        outgrown = array;
        array = larger;
        array.buffer().put(0, outgrown.buffer(), 0, outgrown.buffer().capacity());
        freeOutgrown();
    }

    private void freeOutgrown() {
        if (outgrown != null) {
            outgrown.close();
            outgrown = null;
        }
    }

    @Override
    protected final int call(long timeoutNanos) {
        return poll(array.address(), members() + 1, Timeout.millis(timeoutNanos));
    }

    @Override
    protected final boolean wokenUp() {
        return revents(array.buffer(), 0) != 0;
    }

    @Override
    protected final int eventsAt(int place) {
        int revents = revents(array.buffer(), at(place));
        return revents == 0 ? 0 : bits.events(revents);
    }

    @Override
    protected final void dispose() {
        freeOutgrown();
        if (array != null) {
            array.close();
        }
    }
}
