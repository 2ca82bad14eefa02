package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.MultiThreadedDemultiplexerContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag("windows")
@Tag(Depth.BINDING)
class IocpContractTest extends MultiThreadedDemultiplexerContract {

    IocpContractTest() {
        super(new Iocp());
    }
}
