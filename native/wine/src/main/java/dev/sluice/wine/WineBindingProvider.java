package dev.sluice.wine;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Binding;
import dev.sluice.calls.BindingProvider;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Offers the binding when it is asked for by name, {@code -Dsluice.native=wine}, if Wine and a compiler for it are
 * installed. Wine is started by {@link #load()}, not before.
 */
public final class WineBindingProvider implements BindingProvider {

    private static final String NAME = "wine";

    /** For {@link java.util.ServiceLoader}. */
    public WineBindingProvider() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int priority() {
        return Integer.MIN_VALUE;
    }

    @Override
    public Availability availability() {
        return System.getProperty(Bindings.PROPERTY, "").equals(NAME)
                ? WineInstallation.availability()
                : Availability.missing("for tests, chosen by name only");
    }

    @Override
    public Binding load() {
        try {
            Win32Host host = Win32Host.start(WineInstallation.find());
            SharedHeap heap = host.heap();
            ForeignBuffers foreign = new ForeignBuffers();
            return new Binding(NAME, Platform.Os.WINDOWS, new SharedMemory(heap, foreign), null, null, null,
                    new ForwardedWindows(new Win32(host, heap), new Transfers(heap, foreign)));
        } catch (IOException e) {
            throw new UncheckedIOException("the Win32 host does not start", e);
        }
    }
}
