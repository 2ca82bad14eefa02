package dev.sluice.jna;

import dev.sluice.calls.PosixCallsContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

/** The contracts of all calls, over JNA. */
@Tag(Depth.BINDING)
class JnaContractTest extends PosixCallsContract {

    JnaContractTest() {
        super(new JnaBindingProvider().load());
    }
}
