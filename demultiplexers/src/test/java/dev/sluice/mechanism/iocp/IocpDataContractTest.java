package dev.sluice.mechanism.iocp;

import dev.sluice.demultiplexer.AsynchronousDataContract;
import org.junit.jupiter.api.Tag;

@Tag("windows")
class IocpDataContractTest extends AsynchronousDataContract {

    IocpDataContractTest() {
        super(new Iocp());
    }
}
