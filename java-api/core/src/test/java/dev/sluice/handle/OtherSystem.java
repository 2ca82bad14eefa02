package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.Platform.Os;
import java.lang.reflect.Proxy;

/** Lets the library detect another Unix until this is closed; calls that exist on all systems are real. */
public final class OtherSystem implements AutoCloseable {

    private final Binding real;

    private OtherSystem(Binding real) {
        this.real = real;
    }

    /** Replaces the binding until the result is closed. */
    public static OtherSystem play(Os other) {
        Binding real = Bindings.current();
        Bsd bsd = (Bsd) Proxy.newProxyInstance(Bsd.class.getClassLoader(), new Class<?>[] {Bsd.class},
                (proxy, method, arguments) -> {
                    throw new AssertionError(method + " does not exist here");
                });
        Bindings.use(new Binding(real.name(), other, real.memory(), real.posix(), null, bsd, null));
        return new OtherSystem(real);
    }

    @Override
    public void close() {
        Bindings.use(real);
    }
}
