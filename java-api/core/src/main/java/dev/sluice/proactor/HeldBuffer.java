package dev.sluice.proactor;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Hands out what came while the input was paused, as if it came now. Made once for a connection. */
final class HeldBuffer extends ProvidedBuffer {

    /** Null once its hook has taken it, or has returned. */
    private @Nullable RetainedBuffer held;

    HeldBuffer of(RetainedBuffer retained) {
        held = retained;
        return this;
    }

    /** The hook has returned. */
    void giveBack() {
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
            throw new IllegalStateException(method + ": the buffer has been retained or sent, or was given back when"
                    + " received() returned; call retain() inside the hook");
        }
        return held;
    }
}
