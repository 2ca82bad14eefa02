package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.ConcurrentDemultiplexerContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag("windows")
@Tag(Depth.BINDING)
class IocpContractTest extends ConcurrentDemultiplexerContract {

    IocpContractTest() {
        super(new Iocp());
    }
}
