package dev.sluice.jna;

import com.sun.jna.Native;
import dev.sluice.calls.Availability;
import dev.sluice.calls.Binding;
import dev.sluice.calls.BindingProvider;
import dev.sluice.calls.KqueueLibrary;
import dev.sluice.calls.Platform;
import dev.sluice.calls.Posix;

/** Offers the JNA binding if JNA's own library loads. */
public final class JnaBindingProvider implements BindingProvider {

    /** Later failures of the same class only quote the first one. */
    private static final String DENIED = IllegalCallerException.class.getName();

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
        Availability platform = Platform.availability();
        if (!platform.usable()) {
            return platform;
        }
        try {
            return Native.POINTER_SIZE == Long.BYTES
                    ? Availability.USABLE
                    : Availability.missing("needs a 64-bit JVM");
        } catch (LinkageError e) {
            return Availability.missing("JNA does not load: " + reason(e));
        }
    }

    /** If native access is denied, the JNA class that loads JNA's library cannot be initialized. */
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        Module module = Native.class.getModule();
        return cause instanceof IllegalCallerException || String.valueOf(cause.getMessage()).contains(DENIED)
                ? "native access is denied, allow it by --enable-native-access="
                        + (module.isNamed() ? module.getName() : "ALL-UNNAMED")
                : cause.toString();
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
