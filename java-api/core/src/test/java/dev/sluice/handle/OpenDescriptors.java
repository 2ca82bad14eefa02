package dev.sluice.handle;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import dev.sluice.testing.DescriptorLinks;
import java.io.IOException;
import java.util.Optional;

/** The open descriptors of this process with their targets, on Linux and Windows; empty on other systems. */
public final class OpenDescriptors {

    /** Null on Windows. */
    private final DescriptorLinks links;
    /** Null unless on Windows. */
    private final WindowsHandles handles;

    private OpenDescriptors(DescriptorLinks links, WindowsHandles handles) {
        this.links = links;
        this.handles = handles;
    }

    /** Skips the test if handles are not shown here. */
    public static void assumeShown() {
        assumeTrue(areShown(), "Windows does not say what a handle leads to");
    }

    /**
     * {@return whether a descriptor number that is reused after a close can be distinguished} Windows reports only the
     * type of a handle, and reuses numbers immediately.
     */
    public static boolean areShown() {
        return Bindings.current().os() != Platform.Os.WINDOWS;
    }

    /** {@return the currently open descriptors} */
    public static OpenDescriptors now() throws IOException {
        return isOnWindows() ? new OpenDescriptors(null, WindowsHandles.now())
                : new OpenDescriptors(DescriptorLinks.now(), null);
    }

    /**
     * {@return the currently open descriptors, on Windows including those that other threads open briefly: cheaper, and
     * enough to detect that nothing more is open than before}
     */
    public static OpenDescriptors glance() throws IOException {
        return isOnWindows() ? new OpenDescriptors(null, WindowsHandles.glance()) : now();
    }

    /**
     * {@return these, except files if files can be distinguished from sockets and pipes: the JVM opens files at any
     * time}
     */
    public OpenDescriptors exceptFiles() {
        return handles == null ? new OpenDescriptors(links.exceptFiles(), null) : this;
    }

    /**
     * {@return the target of the descriptor, such as {@code socket:[4711]}, on Windows its type; empty if it is not
     * open}
     */
    public static Optional<String> link(int descriptor) throws IOException {
        return isOnWindows() ? WindowsHandles.now().type(descriptor) : DescriptorLinks.of(descriptor);
    }

    /** {@return the descriptors here that are not among the others, one per line, empty if there are none} */
    public String without(OpenDescriptors others) {
        return handles == null ? links.without(others.links) : String.join("\n", handles.without(others.handles));
    }

    /**
     * {@return the descriptors here that are not among the others, one per line, empty if there are none; on Windows
     * without events, threads and processes, some of which the JVM closes itself}
     */
    public String lackedBy(OpenDescriptors others) {
        return handles == null ? links.without(others.links) : String.join("\n", handles.lackedBy(others.handles));
    }

    private static boolean isOnWindows() {
        return Platform.CURRENT.os() == Platform.Os.WINDOWS;
    }
}
