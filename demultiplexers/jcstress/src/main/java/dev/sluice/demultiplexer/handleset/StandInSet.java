package dev.sluice.demultiplexer.handleset;

import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;
import java.io.UncheckedIOException;

/** An iterative handle set on the {@link StandInSystem}, with room for one handle, which is ready once it is in. */
final class StandInSet extends ProcessSetDemultiplexer {

    static final int CLOSED = -1;
    static final int FORGOTTEN = -2;

    static {
        StandInSystem.use();
    }

    private final ReadyBatch ready = newReadyBatch(1);
    private final long descriptor = wakeUpDescriptor();
    private final StandInEvent event = StandInSystem.event(descriptor);
    private Slot member;
    private boolean wokenUp;
    private int disposals;

    private StandInSet() throws IOException {
        super("stand-in");
    }

    static StandInSet open() {
        try {
            return new StandInSet();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected void apply(Slot slot) {
        member = slot.isValid() ? slot : null;
        slot.place = slot.isValid() ? 0 : -1;
    }

    @Override
    protected int call(long timeoutNanos) throws IOException {
        boolean isReady = member != null && member.armedEvents() != 0;
        if (!event.await(isReady ? 0 : timeoutNanos) && !isReady && timeoutNanos < 0) {
            throw new IOException("forgotten");
        }
        wokenUp = event.isReadable();
        return (wokenUp ? 1 : 0) + (isReady ? 1 : 0);
    }

    @Override
    protected boolean wokenUp() {
        return wokenUp;
    }

    @Override
    protected void collect(ReadyBatch batch, int found) {
        report(batch, member, EventType.READ);
    }

    @Override
    protected void dispose() {
        disposals++;
    }

    /** {@return how many are ready, {@link #CLOSED}, or {@link #FORGOTTEN}} */
    int await() {
        try {
            return awaitReady(ready, FOREVER);
        } catch (HandleClosedException e) {
            return CLOSED;
        } catch (IOException e) {
            return FORGOTTEN;
        }
    }

    /** Takes what is there, without waiting. */
    void look() {
        try {
            awaitReady(ready, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void register(StandInHandle standIn) {
        try {
            register(standIn.handle(), EventType.READ, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    StandInEvent event() {
        return event;
    }

    int disposals() {
        return disposals;
    }

    /** It is of no use any more. */
    void forget() {
        StandInSystem.forget(descriptor);
    }
}
