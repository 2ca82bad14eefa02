package dev.sluice.jna;

import com.sun.jna.Native;
import dev.sluice.calls.Availability;
import dev.sluice.calls.Binding;
import dev.sluice.calls.BindingProvider;
import dev.sluice.calls.KqueueLibrary;
import dev.sluice.calls.Platform;
import dev.sluice.calls.Posix;

/** Offers the JNA binding where JNA's own library loads. */
public final class JnaBindingProvider implements BindingProvider {

    /** For {@link java.util.ServiceLoader}. */
    public JnaBindingProvider() {
    }

    @Override
    public String name() {
        return "jna";
    }

    @Override
    public int priority() {
        return 50;
    }

    @Override
    public Availability availability() {
        try {
            return Native.POINTER_SIZE == Long.BYTES
                    ? Availability.USABLE
                    : Availability.missing("needs a 64-bit JVM");
        } catch (LinkageError e) {
            return Availability.missing("JNA does not load: " + e.getMessage());
        }
    }

    @Override
    public Binding load() {
        boolean windows = Platform.CURRENT.os() == Platform.Os.WINDOWS;
        return new Binding(name(), Platform.CURRENT.os(), new JnaMemory(),
                windows ? null : posix(),
                Platform.CURRENT.isLinux() ? new JnaLinux() : null,
                KqueueLibrary.isThere() ? new JnaBsd() : null,
                windows ? new JnaWindows() : null);
    }

    private static Posix posix() {
        boolean appleSilicon = Platform.CURRENT.os() == Platform.Os.MACOS
                && Platform.CURRENT.cpu() == Platform.Cpu.AARCH64;
        return appleSilicon ? new JnaVariadicPosix() : new JnaPosix();
    }
}
