package dev.sluice.handle;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import dev.sluice.testing.DescriptorLinks;
import java.io.IOException;
import java.util.Optional;

/**
 * What this process has open, each descriptor with what it leads to: on Linux, and on Windows; nothing elsewhere.
 */
public final class OpenDescriptors {

    /** Null on Windows. */
    private final DescriptorLinks links;
    /** Null on other systems than Windows. */
    private final WindowsHandles handles;

    private OpenDescriptors(DescriptorLinks links, WindowsHandles handles) {
        this.links = links;
        this.handles = handles;
    }

    /** Skips the test where handles are not among them. */
    public static void assumeShown() {
        assumeTrue(areShown(), "Windows does not say what a handle leads to");
    }

    /**
     * {@return whether a number that is open again after a close is known to be another one} Windows says of a handle
     * what type it has, and gives a number out again at once.
     */
    public static boolean areShown() {
        return Bindings.current().os() != Platform.Os.WINDOWS;
    }

    /** {@return what is open now} */
    public static OpenDescriptors now() throws IOException {
        return isOnWindows() ? new OpenDescriptors(null, WindowsHandles.now())
                : new OpenDescriptors(DescriptorLinks.now(), null);
    }

    /**
     * {@return what is open now, on Windows with that which other threads open for a moment: cheaper, and enough to see
     * that nothing more is open than before}
     */
    public static OpenDescriptors glance() throws IOException {
        return isOnWindows() ? new OpenDescriptors(null, WindowsHandles.glance()) : now();
    }

    /**
     * {@return these, except files where files can be told apart from sockets, pipes and the like: the JVM opens files
     * at any time}
     */
    public OpenDescriptors exceptFiles() {
        return handles == null ? new OpenDescriptors(links.exceptFiles(), null) : this;
    }

    /**
     * {@return what the descriptor leads to, such as {@code socket:[4711]}, on Windows the type of that; empty if it is
     * not open}
     */
    public static Optional<String> link(int descriptor) throws IOException {
        return isOnWindows() ? WindowsHandles.now().type(descriptor) : DescriptorLinks.of(descriptor);
    }

    /** {@return those here that the others lack, one a line, empty if there is none} */
    public String without(OpenDescriptors others) {
        return handles == null ? links.without(others.links) : String.join("\n", handles.without(others.handles));
    }

    /**
     * {@return those here that the others lack, one a line, empty if there is none; on Windows neither events,
     * threads nor processes, of which the JVM closes some by itself}
     */
    public String lackedBy(OpenDescriptors others) {
        return handles == null ? links.without(others.links) : String.join("\n", handles.lackedBy(others.handles));
    }

    private static boolean isOnWindows() {
        return Platform.CURRENT.os() == Platform.Os.WINDOWS;
    }
}
