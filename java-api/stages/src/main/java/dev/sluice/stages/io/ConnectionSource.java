package dev.sluice.stages.io;

import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.stages.EventQueue;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A source of connections: a listening socket, or an attempt to connect. At most one operation is in flight, for which
 * a slot is taken; its stream becomes a connection, which keeps the slot. Except for the result, fields are accessed
 * only by the serving thread.
 */
abstract class ConnectionSource extends SocketRequest implements CompletionHandler {

    /**
     * The result of an operation: a stream or an error, or neither if a timer has expired and the operation is to be
     * retried.
     */
    record Result(@Nullable SocketStream stream, @Nullable IOException error) {
    }

    private final EventQueue<? super SocketEvent> target;
    /** The result that has not been taken yet. */
    private final AtomicReference<Result> result = new AtomicReference<>();
    /** Whether a slot is taken for a connection that is not established yet. */
    private boolean slotTaken;

    ConnectionSource(SocketStages sockets, RequestHandler stage, EventQueue<? super SocketEvent> target) {
        super(sockets, stage);
        this.target = target;
    }

    /** Sets the result of the operation. Called by any thread. */
    final void setResult(@Nullable SocketStream stream, @Nullable IOException error) {
        result.set(new Result(stream, error));
        signal();
    }

    /** {@return the result of the operation; null if it is in flight, or its result was taken already} */
    final Result takeResult() {
        return result.getAndSet(null);
    }

    /**
     * Takes a slot for a connection.
     *
     * @return false if the maximum number of connections is reached
     */
    final boolean takeSlot() {
        slotTaken = sockets.takeSlot();
        return slotTaken;
    }

    final void giveSlotBack() {
        if (slotTaken) {
            slotTaken = false;
            sockets.giveSlotBack();
        }
    }

    /** Creates a connection, which is the next event. If this fails, the stream is closed. */
    final void connect(SocketStream stream) throws IOException {
        try {
            setPending(new AsyncConnection(sockets, stream, target));
            slotTaken = false;
        } catch (IOException | RuntimeException | Error e) {
            stream.close();
            throw e;
        }
    }

    final boolean deliverPending() {
        return deliverPending(target);
    }

    @Override
    void abandon() {
        giveSlotBack();
        dropPending();
        Result left = takeResult();
        if (left != null && left.stream() != null) {
            left.stream().close();
        }
    }
}
