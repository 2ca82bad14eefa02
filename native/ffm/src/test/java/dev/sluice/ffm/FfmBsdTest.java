package dev.sluice.ffm;

import dev.sluice.calls.Binding;
import dev.sluice.calls.BsdFileContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Calls of macOS and the BSDs, as far as Linux has them. */
@Tag(Depth.IN_QUICK)
@EnabledOnOs(OS.LINUX)
class FfmBsdTest extends BsdFileContract {

    private static final Binding BOUND = new FfmBindingProvider().load();

    FfmBsdTest() {
        super(new Binding(BOUND.name(), BOUND.os(), BOUND.memory(), BOUND.posix(), BOUND.linux(), new FfmBsd(), null));
    }
}
