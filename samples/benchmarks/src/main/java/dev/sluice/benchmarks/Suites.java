package dev.sluice.benchmarks;

import dev.sluice.benchmarks.call.CallSuite;
import dev.sluice.benchmarks.churn.ChurnSuite;
import dev.sluice.benchmarks.datagrams.DatagramSuite;
import dev.sluice.benchmarks.file.FileSuite;
import dev.sluice.benchmarks.jaws.JawsSuite;
import dev.sluice.benchmarks.lucene.LuceneSuite;
import dev.sluice.benchmarks.roundtrip.RoundTripSuite;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.seda.batching.BatchingSuite;
import dev.sluice.benchmarks.seda.classes.ClassesSuite;
import dev.sluice.benchmarks.seda.controllers.ControllersSuite;
import dev.sluice.benchmarks.seda.hop.HopSuite;
import dev.sluice.benchmarks.seda.little.LittleSuite;
import dev.sluice.benchmarks.seda.pool.PoolSuite;
import dev.sluice.benchmarks.seda.queue.QueueSuite;
import dev.sluice.benchmarks.seda.router.RouterSuite;
import dev.sluice.benchmarks.seda.shedding.SheddingSuite;
import dev.sluice.benchmarks.seda.sizes.SizesSuite;
import dev.sluice.benchmarks.seda.sockets.SocketsSuite;
import dev.sluice.benchmarks.seda.threads.ThreadsSuite;
import dev.sluice.benchmarks.seda.today.TodaySuite;
import dev.sluice.benchmarks.seda.web.SpecWebSuite;
import dev.sluice.benchmarks.servers.ServersSuite;
import dev.sluice.benchmarks.start.StartSuite;
import dev.sluice.benchmarks.timers.TimersSuite;
import dev.sluice.benchmarks.waiting.WaitSuite;
import dev.sluice.benchmarks.wakeup.WakeUpSuite;
import dev.sluice.benchmarks.web.WebSuite;
import java.util.List;

/** All suites, in the order of the report. */
final class Suites {

    /** The whole list. */
    static final List<Suite> ALL = List.of(
            new CallSuite(),
            new WaitSuite(),
            new RoundTripSuite(),
            new FileSuite(),
            new LuceneSuite(),
            new ChurnSuite(),
            new TimersSuite(),
            new WakeUpSuite(),
            new DatagramSuite(),
            new StartSuite(),
            new ServersSuite(),
            new WebSuite(),
            new JawsSuite(),
            new HopSuite(),
            new ThreadsSuite(),
            new PoolSuite(),
            new BatchingSuite(),
            new SocketsSuite(),
            new LittleSuite(),
            new SpecWebSuite(),
            new ClassesSuite(),
            new SizesSuite(),
            new SheddingSuite(),
            new TodaySuite(),
            new ControllersSuite(),
            new RouterSuite(),
            new QueueSuite());

    private Suites() {
    }
}
