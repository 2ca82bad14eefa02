package dev.sluice.benchmarks.wakeup;

import java.io.Closeable;
import java.util.concurrent.Executor;

/** An event loop that is running, and takes tasks of any thread. */
interface RunningLoop extends Executor, Closeable {
}
