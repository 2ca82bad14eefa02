package dev.sluice.benchmarks.roundtrip;

import dev.sluice.benchmarks.jmh.Processor;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A message to the server and back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RoundTrip {

    /** Who echoes. */
    @Param("REACTOR")
    public ServerKind server;

    /** The demultiplexer of a Reactor or Proactor. */
    @Param("auto")
    public String demultiplexer;

    /** How messages travel. */
    @Param("TCP")
    public Transport transport;

    /** Bytes of a message. */
    @Param("64")
    public int size;

    private Transport.Place place;
    private EchoServer echo;
    private Client client;

    /** For JMH. */
    public RoundTrip() {
    }

    /**
     * Opens both ends, on one processor.
     *
     * @throws IOException if the system refuses
     */
    @Setup
    public void open() throws IOException {
        Processor.current().bind();
        place = transport.place();
        echo = server.open(transport, place.address(), size, demultiplexer).start();
        client = Client.connect(transport, echo.address(), size);
    }

    /**
     * Sends a message, and receives and checks its reply.
     *
     * @throws IOException if there is none, or it is wrong
     */
    @Benchmark
    public void roundTrip() throws IOException {
        client.roundTrip();
    }

    /**
     * Closes both ends.
     *
     * @throws IOException if the server has failed
     */
    @TearDown
    public void close() throws IOException {
        client.close();
        echo.close();
        place.close();
    }
}
