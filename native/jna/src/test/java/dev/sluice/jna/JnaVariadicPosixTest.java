package dev.sluice.jna;

import dev.sluice.calls.Binding;
import dev.sluice.calls.DirectoryContract;
import dev.sluice.calls.FileContract;
import dev.sluice.calls.PipeContract;
import dev.sluice.calls.Platform;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A variadic call is right on every Unix, only not needed on each: what uses one works by it here too. */
@Tag(Depth.BINDING)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the functions are those of Unix")
class JnaVariadicPosixTest {

    private static final Binding BINDING = new Binding("jna", Platform.CURRENT.os(), new JnaMemory(),
            new JnaVariadicPosix(), null, null, null);

    @Nested
    class Files extends FileContract {
        Files() {
            super(BINDING);
        }
    }

    @Nested
    class Directories extends DirectoryContract {
        Directories() {
            super(BINDING);
        }
    }

    @Nested
    class Pipes extends PipeContract {
        Pipes() {
            super(BINDING);
        }
    }
}
