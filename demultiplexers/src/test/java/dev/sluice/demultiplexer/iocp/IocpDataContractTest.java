package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.AsynchronousDataContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag("windows")
@Tag(Depth.BINDING)
class IocpDataContractTest extends AsynchronousDataContract {

    IocpDataContractTest() {
        super(new Iocp());
    }
}
