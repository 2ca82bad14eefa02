package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.AsynchronousTransferContract;
import dev.sluice.testing.Depth;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The emulation asks a set for readiness, and differs for those that one thread waits by and those that many do. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@EnabledOnOs(OS.LINUX)
@ParameterizedClass(name = "{0}")
@MethodSource("sets")
class EmulatedTransferContractTest extends AsynchronousTransferContract {

    EmulatedTransferContractTest(EmulatedSet set) {
        super(set);
    }

    static Stream<EmulatedSet> sets(TestInfo test) {
        return Depth.first(test, EmulatedSet.here(), 2);
    }
}
