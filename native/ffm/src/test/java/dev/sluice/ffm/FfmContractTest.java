package dev.sluice.ffm;

import dev.sluice.calls.PosixCallsContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

/** The contracts of all calls, over java.lang.foreign. */
@Tag(Depth.IN_QUICK)
class FfmContractTest extends PosixCallsContract {

    FfmContractTest() {
        super(new FfmBindingProvider().load());
    }
}
