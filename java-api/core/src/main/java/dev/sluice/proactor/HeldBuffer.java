package dev.sluice.proactor;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A buffer that was received while the input was paused, for a later call of the hook. One object per connection,
 * reused.
 */
final class HeldBuffer extends ProvidedBuffer {

    /** The buffer; null after the hook has retained it, or has returned. */
    private @Nullable RetainedBuffer held;

    HeldBuffer of(RetainedBuffer retained) {
        held = retained;
        return this;
    }

    /** Called when the hook has returned. Releases the buffer unless it was retained. */
    void release() {
        if (held != null) {
            RetainedBuffer unclaimed = held;
            held = null;
            unclaimed.close();
        }
    }

    @Override
    public ByteBuffer bytes() {
        return held("bytes").bytes();
    }

    @Override
    public RetainedBuffer retain() {
        RetainedBuffer taken = held("retain");
        held = null;
        return taken;
    }

    private RetainedBuffer held(String method) {
        if (held == null) {
            throw new IllegalStateException(method + ": the buffer has been retained or sent, or was released when"
                    + " received() returned; call retain() inside the hook");
        }
        return held;
    }
}
