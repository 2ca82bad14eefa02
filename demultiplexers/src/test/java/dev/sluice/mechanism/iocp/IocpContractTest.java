package dev.sluice.mechanism.iocp;

import dev.sluice.demultiplexer.ConcurrentDemultiplexerContract;
import org.junit.jupiter.api.Tag;

@Tag("windows")
class IocpContractTest extends ConcurrentDemultiplexerContract {

    IocpContractTest() {
        super(new Iocp());
    }
}
