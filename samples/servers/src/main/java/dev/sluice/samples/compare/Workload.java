package dev.sluice.samples.compare;

/** What a server is asked to do: how many connections are always busy, and what a request costs there. */
record Workload(int connections, int cpuMicros) {

    @Override
    public String toString() {
        return connections + (connections == 1 ? " connection, " : " connections, ") + cpuMicros + " us";
    }
}
