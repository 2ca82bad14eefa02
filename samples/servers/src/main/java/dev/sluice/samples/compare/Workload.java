package dev.sluice.samples.compare;

/** A workload: the number of busy connections, and the cost of a request. */
record Workload(int connections, int cpuMicros) {

    @Override
    public String toString() {
        return connections + (connections == 1 ? " connection, " : " connections, ") + cpuMicros + " us";
    }
}
