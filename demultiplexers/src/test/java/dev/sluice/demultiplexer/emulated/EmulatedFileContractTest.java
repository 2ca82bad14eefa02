package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.AsynchronousFileContract;
import dev.sluice.testing.Depth;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The emulation does all of this itself and hands none of it to the set that it waits by, so that one set will do. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@EnabledOnOs(OS.LINUX)
@ParameterizedClass(name = "{0}")
@MethodSource("sets")
class EmulatedFileContractTest extends AsynchronousFileContract {

    EmulatedFileContractTest(EmulatedSet set) {
        super(set);
    }

    static Stream<EmulatedSet> sets(TestInfo test) {
        return Depth.first(test, EmulatedSet.here(), 1);
    }
}
