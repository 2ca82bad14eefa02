package dev.sluice.benchmarks.servers;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.peers.EchoServers;
import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.RunningServers;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Target;
import dev.sluice.benchmarks.run.Trial;
import dev.sluice.benchmarks.servers.ServerTrial.Times;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Whole echo servers. */
public final class ServersSuite implements Suite {

    private static final List<Shape> ALL = List.of(Shape.ONE, Shape.SOME, Shape.MANY, Shape.DEEP, Shape.MEDIUM,
            Shape.LARGE, Shape.LARGE_AND_DEEP, Shape.HUGE, Shape.MOSTLY_IDLE);
    private static final List<Shape> FEW = List.of(Shape.SOME, Shape.MANY, Shape.DEEP, Shape.MEDIUM, Shape.LARGE,
            Shape.MOSTLY_IDLE);
    private static final double HARDLY_LESS = 0.97;
    private static final double LITTLE_LESS = 0.95;
    private static final double LITTLE_MORE = 1.02;
    private static final List<Shape> OF_FURTHER = List.of(Shape.SOME, Shape.DEEP, Shape.MEDIUM);

    /** Creates a suite. */
    public ServersSuite() {
    }

    @Override
    public String name() {
        return "servers";
    }

    @Override
    public String summary() {
        return "whole echo servers beside java.nio, Netty and C: messages per second, CPU time, latency";
    }

    @Override
    public String method() {
        return """
                Each server is a process with one thread that serves, on processor 0; the load generator is a process
                with one thread on processor 1. All servers are started before the first measurement and wait while
                others are measured; a round measures all of them in one shape before it goes on to the next.

                "64x16 KiB" is 64 connections that each send a message of 16 KiB, wait for its echo, and send the next
                (16 deep: with 16 messages on their way). The load generator stands on Sluice: on io_uring for small
                messages, on epoll for large ones. It compares every byte that comes back with what it has sent, and
                each connection sends something else. What a server compiles while it warms up is not measured, and the
                load generator ends all connections in order and waits until the server has closed them too.

                Where both processors are busy all the time, messages per second say little about a server that would be
                faster than the load generator; the CPU time of the server then says more. It is that of the whole
                process, as the kernel counts it, in steps of 10 ms.

                Sluice's servers are the echo sample. The one on `java.nio` uses one direct buffer for all connections,
                Netty has one event loop, its default allocator, buffer rings on io_uring, flushes when all has been
                read, and runs without its leak detection and access checks. All set TCP_NODELAY.""";
    }

    @Override
    public List<Section> sections() {
        return List.of(new Section(ServerTrial.RATE, "1/s", Better.HIGHER, EchoServers.BASELINE, Chart.BARS)
                        .with(rates().toArray(Target[]::new)).drawing(EchoServers.shown()),
                new Section(ServerTrial.CPU, "s", Better.LOWER, EchoServers.BASELINE, Chart.NONE)
                        .with(Target.times(EchoServers.REACTOR, LITTLE_MORE, EchoServers.C_EPOLL),
                                Target.times(EchoServers.PROACTOR, LITTLE_MORE, EchoServers.C_EPOLL)),
                new Section(ServerTrial.LATENCY, "µs", Better.LOWER, EchoServers.BASELINE, Chart.NONE)
                        .with(Target.times(EchoServers.REACTOR, 1, EchoServers.C_EPOLL),
                                Target.times(EchoServers.PROACTOR, 1, EchoServers.C_URING)));
    }

    private static List<Target> rates() {
        List<Target> rates = new ArrayList<>();
        for (String ours : List.of(EchoServers.REACTOR, EchoServers.PROACTOR)) {
            for (String theirs : List.of(EchoServers.C_EPOLL, EchoServers.C_URING)) {
                rates.add(Target.times(ours, HARDLY_LESS, theirs));
            }
        }
        rates.add(Target.times(EchoServers.EMULATED, LITTLE_LESS, EchoServers.REACTOR));
        for (Shape large : List.of(Shape.MEDIUM, Shape.LARGE, Shape.LARGE_AND_DEEP, Shape.HUGE)) {
            rates.add(Target.times(EchoServers.PROACTOR, LITTLE_LESS, EchoServers.REACTOR).in(large.name()));
        }
        return rates;
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        EchoServers found = EchoServers.find(scale, host);
        List<String> absences = new ArrayList<>(found.absences());
        List<MeasuredPeer> all = new ArrayList<>(found.contestants());
        all.addAll(found.further());
        LoadGenerator generator = LoadGenerator.start(host);
        RunningServers servers;
        try {
            servers = RunningServers.start(host, all);
        } catch (Throwable e) {
            generator.close();
            throw e;
        }
        return new Preparation(trials(scale, found, servers, generator, absences), scale.rounds(), absences, () -> {
            generator.close();
            servers.close();
        });
    }

    private static List<Trial> trials(Scale scale, EchoServers found, RunningServers servers,
            LoadGenerator generator, List<String> absences) {
        Times times = scale.choose(
                new Times(Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofMillis(50)),
                new Times(Duration.ofMillis(1500), Duration.ofMillis(300), Duration.ofMillis(1000)),
                new Times(Duration.ofSeconds(3), Duration.ofMillis(400), Duration.ofMillis(1000)));
        List<Trial> trials = new ArrayList<>();
        for (Shape shape : scale.choose(List.of(Shape.SOME), FEW, ALL)) {
            if (shape.descriptors() > maxDescriptors()) {
                absences.add(shape.name() + ": needs " + shape.descriptors() + " descriptors in a process, and "
                        + maxDescriptors() + " are allowed (ulimit -n)");
                continue;
            }
            List<MeasuredPeer> here = new ArrayList<>(found.contestants());
            if (OF_FURTHER.contains(shape)) {
                here.addAll(found.further());
            }
            for (MeasuredPeer contestant : here) {
                trials.add(new ServerTrial(shape, contestant.name(), servers.of(contestant.name()), generator, times));
            }
        }
        return trials;
    }

    private static long maxDescriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount() : Long.MAX_VALUE;
    }
}
