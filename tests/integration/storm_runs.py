"""The runs of a Storm, short in accounting_test.py and at full length in soak.py. Each returns its figures by name."""
import time

from fault_tools import stopwatch
from harness import eventually
from storm import Storm


def storm_run(seed, seconds):
    """Kills, pauses, floods and cuts off everything in random order, then lets it converge."""
    with Storm(seed) as storm:
        storm.storm(seconds)
        converged = storm.converge()
        storm.check_streams()
        if storm.is_disabled:  # The kill switch outlived the storm; so do the other orders.
            storm.order_kill_switch()
            converged = max(converged, storm.converge())
            storm.check_streams()
        return {"faults": sum(storm.done.values()), "converged_s": converged, **storm.check_accounts()}


def restart_run(seed, restarts):
    """Kills the daemon under load that often; it must serve again, and every application follow it."""
    starts, converged = [], []
    with Storm(seed) as storm:
        storm.converge()
        for _ in range(restarts):
            storm.dice.choice([storm.order_pin, storm.order_denial])()
            starts.append(storm.restart_daemon())
            seconds = stopwatch()
            storm.converge()
            converged.append(seconds())
        storm.check_streams()
        return {"start_max_s": max(starts), "converged_max_s": max(converged), **storm.check_accounts()}


def stop_run(seed, seconds):
    """Stops the daemon under load (SIGSTOP) for that long; applications give it up after 5 s."""
    with Storm(seed) as storm:
        storm.converge()
        storm.daemon.pause()
        time.sleep(seconds)
        storm.daemon.resume()
        seconds = stopwatch()
        storm.converge()
        converged = seconds()
        storm.check_streams()
        return {"converged_s": converged, **storm.check_accounts()}


def orphan_run(seed):
    """Kills an application whose batches lie unread in the daemon's socket, and their connection with it."""
    with Storm(seed) as storm:
        storm.converge()
        storm.daemon.pause()
        orphan = storm.workers[0]
        orphan("burst 5000 100")
        eventually(lambda: storm.proxy("tally")["unanswered_accesses"] > 1000)
        storm.proxy("reset both")
        storm.replace(orphan)
        storm.daemon.resume()
        storm.converge()
        return storm.check_accounts()


def told(figures):
    return ", ".join(f"{name} {value:.2f}" if isinstance(value, float) else f"{name} {value}" for name, value in figures.items())
