package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform.Os;

/**
 * Lets the library detect another Unix until this is closed; calls that exist on all systems are real, and those on
 * files are {@link PlayedFiles}.
 */
public final class OtherSystem implements AutoCloseable {

    private final Binding real;

    private OtherSystem(Binding real) {
        this.real = real;
    }

    /** Replaces the binding until the result is closed. */
    public static OtherSystem play(Os other) {
        Binding real = Bindings.current();
        Bindings.use(new Binding(real.name(), other, real.memory(), real.posix(), null, PlayedFiles.of(real), null));
        return new OtherSystem(real);
    }

    @Override
    public void close() {
        Bindings.use(real);
    }
}
